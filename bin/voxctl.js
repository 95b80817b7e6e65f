#!/usr/bin/env node
const words = process.argv.slice(2);
const debug = words.includes("--debug");

function takeCompiledCode() {
  const { compileCacheFolder, keepCode } = require("./compile-cache.js");
  const folder = compileCacheFolder(process.env, process.platform, process.getuid?.());
  // A server's is kept apart: what other commands compile of the files that it shares with them would be taken with it.
  const kind = words.includes("emulator") && words.includes("start") ? "-server" : "";
  // Source maps are not available for kept code.
  if (folder !== undefined && !debug) keepCode(`${folder}-${process.version}-${process.arch}${kind}`);
}

// The version and the help of the whole are so little code that compiling it takes less than looking for it.
const [word = "--help"] = words;
if (words.length > 1 || !["--version", "-V", "--help", "-h", "help"].includes(word)) takeCompiledCode();
// Names of files and lines in what a defect prints: the sources', not the bundle's.
if (debug) process.setSourceMapsEnabled(true);
// Node's warnings (experimental, insecure) are for developers; voxctl prints its own for users.
else process.removeAllListeners("warning");
const { main, processIo } = require("../dist/cli.cjs");

main(words, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
  // A command that was interrupted may have left work behind that would keep the process alive.
  if (exitCode < 128) return;
  // An exit waits for what is in the system, as the opening of a pipe that nobody reads; the signal itself doesn't.
  const waits = process
    .getActiveResourcesInfo()
    .some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));
  // Windows has no signals: a process that is sent one ends with another code.
  if (waits && process.platform !== "win32")
    process.kill(process.pid, exitCode === 130 ? "SIGINT" : "SIGTERM");
  else process.exit();
});
