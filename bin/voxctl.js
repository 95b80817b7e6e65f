#!/usr/bin/env node
const words = process.argv.slice(2);
const debug = words.includes("--debug");

function takeCompiledCode() {
  const { compileCacheFolder, keepCode } = require("./compile-cache.js");
  const folder = compileCacheFolder(process.env, process.platform, process.getuid?.());
  // A server's code is cached separately. Otherwise, the functions that a server compiles would also be cached for other commands.
  const kind = words.includes("emulator") && words.includes("start") ? "-server" : "";
  // Source maps are not available for cached code.
  if (folder !== undefined && !debug) keepCode(`${folder}-${process.version}-${process.arch}${kind}`);
}

// The version and the root help need little code. Compiling it is faster than reading the cache.
const [word = "--help"] = words;
if (words.length > 1 || !["--version", "-V", "--help", "-h", "help"].includes(word)) takeCompiledCode();
// Use source file names and lines, not those of the bundle, in stack traces. The package contains no source maps.
if (debug) process.setSourceMapsEnabled(true);
// Node's warnings (experimental, insecure) are for developers; voxctl prints its own for users.
else process.removeAllListeners("warning");
const { main, processIo } = require("../dist/cli.cjs");

main(words, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
  // Work that an interrupted command left behind would keep the process alive.
  if (exitCode < 128) return;
  // `process.exit` waits for system calls, such as opening a pipe without a reader. A signal ends the process at once.
  const waits = process
    .getActiveResourcesInfo()
    .some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));
  // On Windows, a process that ends itself with a signal has a different exit code.
  if (waits && process.platform !== "win32")
    process.kill(process.pid, exitCode === 130 ? "SIGINT" : "SIGTERM");
  else process.exit();
});
