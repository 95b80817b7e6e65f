#!/usr/bin/env node
import module from "node:module";

module.enableCompileCache?.();
const { main, processIo } = await import("../dist/cli.js");
process.exitCode = await main(process.argv.slice(2), processIo());
// A command that was interrupted may have left work behind that would keep the process alive.
if (process.exitCode >= 128) process.exit();
