import assert from "node:assert/strict";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  allTypes,
  allTypesItemCount,
  apply,
  applyAll,
  applying,
  assertOnce,
  config,
  listCreated,
  readLock,
  writeFiles,
} from "./folder.js";

const idsOf = (lock: ReturnType<typeof readLock>) =>
  Object.fromEntries(Object.entries(lock).map(([key, { id }]) => [key, id]));

export const configurationResumed: Job = {
  about: "`config apply` is killed and repeated; then the lock is lost and rebuilt from names",
  async run(bench) {
    writeFiles(bench, allTypes);
    for (const write of [4, 7]) await bench.runKilled({ write }, ...applying(bench));
    await applyAll(bench);
    assertOnce(bench);
    assert.equal(listCreated(bench).length, allTypesItemCount);
    const before = readLock(bench);
    assert.deepEqual(Object.keys(before).length, allTypesItemCount);
    const written = writes(bench);
    await applyAll(bench);
    assert.equal(writes(bench), written, "a second apply writes nothing");
    writeFiles(bench, { "locks/eins.jsonl": undefined });
    const refused = await apply(bench);
    assert.equal(refused.code, 10, `${refused.stdout} ${refused.stderr}`);
    assert.equal(writes(bench), written, "without a lock no existing name is created");
    const adopted = await config(bench, "adopt");
    assert.equal(adopted.code, 0, adopted.stderr);
    assert.deepEqual(idsOf(readLock(bench)), idsOf(before));
    await applyAll(bench);
    assert.equal(listCreated(bench).length, allTypesItemCount);
  },
};
