import assert from "node:assert/strict";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  apply,
  applyAll,
  applying,
  assertOnce,
  config,
  everyKind,
  lockOf,
  made,
  thingsOfEveryKind,
  writeFiles,
} from "./folder.js";

const idsOf = (lock: ReturnType<typeof lockOf>) =>
  Object.fromEntries(Object.entries(lock).map(([key, { id }]) => [key, id]));

export const configurationResumed: Job = {
  about:
    "a configuration whose apply was killed, given again; then its lock is lost, and bound anew by names",
  async run(bench) {
    writeFiles(bench, everyKind);
    for (const write of [4, 7]) await bench.runKilled({ write }, ...applying(bench));
    await applyAll(bench);
    assertOnce(bench);
    assert.equal(made(bench).length, thingsOfEveryKind);
    const before = lockOf(bench);
    assert.deepEqual(Object.keys(before).length, thingsOfEveryKind);
    const written = writes(bench);
    await applyAll(bench);
    assert.equal(writes(bench), written, "a second apply writes nothing");
    writeFiles(bench, { "locks/eins.jsonl": undefined });
    const refused = await apply(bench);
    assert.equal(refused.code, 10, `${refused.stdout} ${refused.stderr}`);
    assert.equal(writes(bench), written, "without a lock nothing of a name that is there is made");
    const adopted = await config(bench, "adopt", "--by-name");
    assert.equal(adopted.code, 0, adopted.stderr);
    assert.deepEqual(idsOf(lockOf(bench)), idsOf(before));
    await applyAll(bench);
    assert.equal(made(bench).length, thingsOfEveryKind);
  },
};
