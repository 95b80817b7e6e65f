// Where the single executable begins. Its `require` knows Node's own modules only; a path is loaded by one of its own.
const { createRequire } = require("node:module");
const { compileFunction } = require("node:vm");

if (process.argv[2] === "__script") {
  // A script of voxctl's in a process of its own, as `node -e` runs it (src/base/own-program.ts).
  const [script] = process.argv.splice(1, 3).slice(2);
  compileFunction(script, ["require"])(createRequire(process.execPath));
} else require("../../bin/voxctl.js");
