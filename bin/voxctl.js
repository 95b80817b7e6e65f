#!/usr/bin/env node
require("node:module").enableCompileCache?.();
const { main, processIo } = require("../dist/cli.cjs");

main(process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
  // A command that was interrupted may have left work behind that would keep the process alive.
  if (exitCode >= 128) process.exit();
});
