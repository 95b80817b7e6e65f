// Loaded before the built command (`node --import`). Replaces the SQLite driver and adds up the time of
// statements on a run's journal. At the end, prints the time of the process, the time of these statements and
// the peak memory to stderr.
import Module, { createRequire } from "node:module";

const name = Number(process.versions.node.split(".")[0]) >= 24 ? "node:sqlite" : "@photostructure/sqlite";
const driver = createRequire(import.meta.url)(name);

let journal = 0;
let depth = 0;

/** Calls the function and adds up its time; nested calls count once. */
function timed(call) {
  if (depth > 0) return call();
  depth += 1;
  const began = performance.now();
  try {
    return call();
  } finally {
    journal += performance.now() - began;
    depth -= 1;
  }
}

class DatabaseSync extends driver.DatabaseSync {
  constructor(path, options) {
    super(path, options);
    this.isJournal = /[\\/]runs[\\/]/.test(path);
  }
  exec(sql) {
    return this.isJournal ? timed(() => super.exec(sql)) : super.exec(sql);
  }
  prepare(sql) {
    if (!this.isJournal) return super.prepare(sql);
    const statement = timed(() => super.prepare(sql));
    for (const name of ["run", "get", "all"]) {
      const call = statement[name].bind(statement);
      Object.defineProperty(statement, name, { value: (...values) => timed(() => call(...values)) });
    }
    return statement;
  }
}

const load = Module._load;
Module._load = (id, ...more) => (id === name ? { ...driver, DatabaseSync } : load(id, ...more));

process.on("exit", () => {
  const measured = {
    milliseconds: performance.now(),
    journalMilliseconds: journal,
    peakKilobytes: process.resourceUsage().maxRSS,
  };
  process.stderr.write(`\nmeasured ${JSON.stringify(measured)}\n`);
});
