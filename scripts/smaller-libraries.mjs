// Plugins that omit parts of libraries: voxctl doesn't use these parts, and they would slow down each command.

/**
 * Removes a trace from the YAML parser. For the trace, the parser reads the environment at each token, which
 * takes a fifth of the parser's time.
 */
export const yamlWithoutTrace = {
  name: "yaml-without-trace",
  transform(code, id) {
    if (!id.endsWith("/yaml/dist/parse/parser.js")) return null;
    const trace = "node_process.env.LOG_TOKENS";
    if (!code.includes(trace)) throw new Error("yaml's parser.js has changed: see yamlWithoutTrace");
    return { code: code.replace(trace, "false"), map: null };
  },
};

/**
 * Commander starts programs only for subcommands that are separate executables. voxctl has no such
 * subcommands. Loading `node:child_process` and the network modules that it uses takes 4% of a short command
 * on Node.js 24.
 */
export const commanderWithoutPrograms = {
  name: "commander-without-programs",
  transform(code, id) {
    if (!id.endsWith("/commander/lib/command.js")) return null;
    const load = "const childProcess = require('node:child_process');";
    if (!code.includes(load))
      throw new Error("commander's command.js has changed: see commanderWithoutPrograms");
    return { code: code.replace(load, "const childProcess = {};"), map: null };
  },
};

/**
 * undici also contains fetch, caches, mocks and WebSockets. Loading these parts, and Node.js's own copies of
 * them, takes a tenth of a short command.
 */
export const undiciWithoutFetch = {
  name: "undici-without-fetch",
  transform(_, id) {
    if (!id.endsWith("/undici/index.js")) return null;
    return {
      code: `
        Object.assign(require("./lib/dispatcher/dispatcher").prototype, require("./lib/api"));
        exports.Agent = require("./lib/dispatcher/agent");
        exports.buildConnector = require("./lib/core/connect");
        exports.DecoratorHandler = require("./lib/handler/decorator-handler");`,
      map: null,
    };
  },
};
