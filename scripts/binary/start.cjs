// The entry of the single executable. Its `require` loads only Node's own modules; files need
// `createRequire`.
const { createRequire } = require("node:module");
const { compileFunction } = require("node:vm");

if (process.argv[2] === "__script") {
  // Run a script, as `node -e` does. voxctl started this process to run the script (src/base/own-program.ts).
  const [script] = process.argv.splice(1, 3).slice(2);
  compileFunction(script, ["require"])(createRequire(process.execPath));
} else require("../../bin/voxctl.js");
