import assert from "node:assert/strict";
import { type Bench, parseOutput } from "../../harness/bench.js";
import { fieldsOf } from "../../server/service-state.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  allTypes,
  apply,
  applyAll,
  assertOnce,
  assertOthersUnchanged,
  config,
  findRow,
  formatPrompt,
  listCreated,
  readLock,
  writeFiles,
} from "./folder.js";

const extra = (number: number) => `prompts/p${number}.md`;
const extras = Object.fromEntries(
  [1, 2, 3, 4, 5].map((number) => [extra(number), formatPrompt(`P ${number}`, `Text ${number}`)]),
);
const assistant = allTypes["assistants/empfang.yaml"];
const glossary = allTypes["glossary/fach.yaml"];

async function assertRefused(bench: Bench, code: number, text: RegExp, ...flags: string[]): Promise<void> {
  const before = writes(bench);
  const ran = await apply(bench, ...flags);
  assert.equal(ran.code, code, ran.stderr);
  assert.match(`${ran.stdout}${ran.stderr}`, text);
  assert.equal(writes(bench), before, "a refusal writes nothing");
}

export const configurationPrune: Job = {
  about:
    "after files are deleted, their resources are kept if `--prune` is missing, if too many would be deleted, if they contain unmanaged items, or if others changed them",
  async run(bench) {
    const { state } = bench.service;
    writeFiles(bench, { ...allTypes, ...extras });
    await applyAll(bench);
    assertOnce(bench);
    const all = listCreated(bench).length;
    const names = findRow(bench, "pronunciation/namen");
    const terms = findRow(bench, "glossary/fach");
    assert.ok(names && terms);
    const unmanaged = state.insert(
      "pronunciation",
      { group_id: names.id, token: "Fremd", spell_out: true },
      "somebody",
    );
    state.insert("glossary", { group_id: terms.id, term: "Fremd" }, "somebody");
    state.insert("prompts", { name: "P 1", kind: "answering", text: "Text 1" }, "somebody");
    await bench.pass();
    const kept = assistant
      .replace(/^(pronunciation|calendars): .*\n/gm, "$1: []\n")
      .replace("prompt: prompts/empfang", "prompt: prompts/abend");
    writeFiles(bench, {
      "assistants/empfang.yaml": kept,
      "prompts/empfang.md": undefined,
      ...Object.fromEntries([1, 2, 3, 4].map((number) => [extra(number), undefined])),
      "glossary/fach.yaml": glossary.replace(/.*OPG.*\n/, ""),
      "calendars/praxis.yaml": undefined,
      "pronunciation/namen.yaml": undefined,
    });
    const prunable = parseOutput(await config(bench, "plan")).prune_candidates;
    assert.equal(prunable.length, 10, "all of them are reported");
    await applyAll(bench);
    assert.equal(listCreated(bench).length, all, "nothing is deleted without --prune");
    await assertRefused(bench, 12, /5 of 7 prompts would be deleted \(71%\)/, "--prune");
    writeFiles(bench, { [extra(3)]: extras[extra(3)], [extra(4)]: extras[extra(4)] });
    await assertRefused(bench, 12, /cannot delete pronunciation\/namen: it contains 1 item/, "--prune");
    state.remove(unmanaged, "somebody");
    const drifted = findRow(bench, "prompts/p2");
    assert.ok(drifted);
    state.change(drifted, { text: "Von Hand" }, "somebody");
    await bench.pass();
    await assertRefused(bench, 10, /prompts\/p2/, "--prune");
    const drops = [
      "glossary/fach#OPG",
      "prompts/empfang",
      "prompts/p1",
      "calendars/praxis",
      "pronunciation/namen",
    ];
    const ids = drops.map((key) => readLock(bench)[key]?.id ?? key);
    await applyAll(bench, "--prune", "--drift", "keep");
    assert.ok(findRow(bench, "prompts/p2"), "a concurrent change is kept");
    assert.deepEqual(
      ids.filter((id) =>
        ["glossary", "prompts", "calendars", "groups"].some((resource) => state.get(resource, id)),
      ),
      [],
      "resources without a file are deleted",
    );
    assert.equal(listCreated(bench).length, all - drops.length - 2, "nothing else is deleted");
    assert.equal(fieldsOf(drifted)["text"], "Von Hand");
    assertOthersUnchanged(bench);
    const before = writes(bench);
    await applyAll(bench, "--prune", "--drift", "keep");
    assert.equal(writes(bench), before, "a second apply writes nothing");
  },
};
