import assert from "node:assert/strict";
import { type Bench, parseOutput } from "../../harness/bench.js";
import { fieldsOf } from "../../server/service-state.js";
import { assertUnchanged, readContents } from "../contents.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import { undoRuns } from "../undo-runs.js";
import {
  allTypes,
  allTypesItemCount,
  apply,
  applyAll,
  assertDone,
  assertOnce,
  config,
  findRow,
  formatPrompt,
  listCreated,
  readLock,
  writeFiles,
} from "./folder.js";

const seal = async (bench: Bench) => {
  const before = writes(bench);
  const ran = await config(bench, "plan", "--out", bench.path("config.plan"), "--force");
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal(writes(bench), before, "saving a plan file writes nothing");
};

export const configurationPlan: Job = {
  about:
    "a configuration that is saved as a plan file, applied once, applied with a concurrent edit, and undone",
  async run(bench) {
    const empty = readContents(bench);
    writeFiles(bench, allTypes);
    await seal(bench);
    const plain = await bench.run("apply", bench.path("config.plan"), "--yes", "-o", "json");
    assert.equal(plain.code, 2, plain.stderr);
    assert.equal(writes(bench), 0, "plain apply refuses a configuration's plan file");
    const first = await apply(bench, bench.path("config.plan"));
    assertDone(bench, first);
    await bench.pass();
    assertOnce(bench);
    const before = writes(bench);
    const again = await apply(bench, bench.path("config.plan"));
    assert.deepEqual([again.code, writes(bench)], [first.code, before], "applied once");
    if (bench.lossy) {
      await applyAll(bench);
      assertOnce(bench);
      return;
    }
    assert.equal(listCreated(bench).length, allTypesItemCount);
    assert.equal(Object.keys(readLock(bench)).length, allTypesItemCount);
    await editedMeanwhile(bench);
    const { certain } = await undoRuns(bench);
    assert.ok(certain);
    await bench.pass();
    const edited = findRow(bench, "prompts/abend");
    assertUnchanged(bench, {
      ...empty,
      ...(edited === undefined ? {} : { prompts: { ...empty["prompts"], [edited.id]: fieldsOf(edited) } }),
    });
  },
};

/** Simulates another user who changes planned resources: before the apply, and right before a write. */
async function editedMeanwhile(bench: Bench): Promise<void> {
  const { state } = bench.service;
  writeFiles(bench, {
    "prompts/abend.md": formatPrompt("Abends", "Wir haben jetzt geschlossen."),
    "prompts/empfang.md": formatPrompt("Empfang  am  Tag", "Du nimmst ab."),
  });
  await seal(bench);
  const row = findRow(bench, "prompts/abend");
  assert.ok(row);
  state.change(row, { text: "Von Hand geändert" }, "somebody");
  await bench.pass();
  const before = writes(bench);
  const ran = await apply(bench, bench.path("config.plan"));
  assert.ok(ran.code === 10 || ran.code === 68, `exit ${ran.code}: ${ran.stderr}`);
  assert.equal(fieldsOf(row)["text"], "Von Hand geändert", "a concurrent change is not overwritten");
  assert.ok(writes(bench) <= before + 1);
  const planned = parseOutput(await config(bench, "plan"));
  assert.deepEqual(planned.conflicts, [{ key: "prompts/abend", fields: ["text"] }]);
}
