import assert from "node:assert/strict";
import { type Bench, jsonOf } from "../../harness/bench.js";
import { fieldsOf } from "../../server/world.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  apply,
  applyAll,
  assertOnce,
  assertOthersStay,
  config,
  everyKind,
  lockOf,
  made,
  prompt,
  rowOf,
  writeFiles,
} from "./folder.js";

const extra = (number: number) => `prompts/p${number}.md`;
const extras = Object.fromEntries(
  [1, 2, 3, 4, 5].map((number) => [extra(number), prompt(`P ${number}`, `Text ${number}`)]),
);
const assistant = everyKind["assistants/empfang.yaml"];
const glossary = everyKind["glossary/fach.yaml"];

/** Nothing is written: the command is refused with this code. */
async function assertRefused(bench: Bench, code: number, text: RegExp, ...flags: string[]): Promise<void> {
  const before = writes(bench);
  const ran = await apply(bench, ...flags);
  assert.equal(ran.code, code, ran.stderr);
  assert.match(`${ran.stdout}${ran.stderr}`, text);
  assert.equal(writes(bench), before, "what is refused writes nothing");
}

export const configurationPrune: Job = {
  about:
    "files taken away: nothing goes without --prune, past a threshold, with strangers in it, or changed by others",
  async run(bench) {
    const { world } = bench.service;
    writeFiles(bench, { ...everyKind, ...extras });
    await applyAll(bench);
    assertOnce(bench);
    const all = made(bench).length;
    // Somebody puts things of their own beside them.
    const names = rowOf(bench, "pronunciation/namen");
    const terms = rowOf(bench, "glossary/fach");
    assert.ok(names && terms);
    const stranger = world.insert(
      "pronunciation",
      { group_id: names.id, token: "Fremd", spell_out: true },
      "somebody",
    );
    world.insert("glossary", { group_id: terms.id, term: "Fremd" }, "somebody");
    world.insert("prompts", { name: "P 1", kind: "answering", text: "Text 1" }, "somebody");
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
    const prunable = jsonOf(await config(bench, "plan")).prune_candidates;
    assert.equal(prunable.length, 10, "all of them are told");
    await applyAll(bench);
    assert.equal(made(bench).length, all, "nothing goes without --prune");
    await assertRefused(bench, 12, /71 % of 7 prompts would be deleted \(5\)/, "--prune");
    writeFiles(bench, { [extra(3)]: extras[extra(3)], [extra(4)]: extras[extra(4)] });
    await assertRefused(
      bench,
      12,
      /pronunciation\/namen is not deleted: 1 thing in it would be lost/,
      "--prune",
    );
    world.remove(stranger, "somebody");
    const drifted = rowOf(bench, "prompts/p2");
    assert.ok(drifted);
    world.change(drifted, { text: "Von Hand" }, "somebody");
    await bench.pass();
    await assertRefused(bench, 10, /prompts\/p2/, "--prune");
    const drops = [
      "glossary/fach#OPG",
      "prompts/empfang",
      "prompts/p1",
      "calendars/praxis",
      "pronunciation/namen",
    ];
    const ids = drops.map((key) => lockOf(bench)[key]?.id ?? key);
    await applyAll(bench, "--prune", "--drift", "keep");
    assert.ok(rowOf(bench, "prompts/p2"), "what others changed stays");
    assert.deepEqual(
      ids.filter((id) => ["glossary", "prompts", "calendars", "groups"].some((one) => world.get(one, id))),
      [],
      "what no file has any more is gone",
    );
    assert.equal(made(bench).length, all - drops.length - 2, "and nothing else");
    assert.equal(fieldsOf(drifted)["text"], "Von Hand");
    assertOthersStay(bench);
    const before = writes(bench);
    await applyAll(bench, "--prune", "--drift", "keep");
    assert.equal(writes(bench), before, "a second apply writes nothing");
  },
};
