import assert from "node:assert/strict";
import type { Bench } from "../../harness/bench.js";
import { fieldsOf } from "../../server/service-state.js";
import { normalize } from "../../server/values.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  applyAll,
  assertOnce,
  config,
  findRow,
  formatPrompt,
  listCreated,
  nameOf,
  projectFile,
  readLock,
  writeFiles,
} from "./folder.js";

const calendar = (name: string) => `name: ${name}\n`;
const tool = (name: string) => `name: ${name}\nurl: https://crm.example.com/${name}\n`;
const terms = (name: string, ...entries: string[]) =>
  `group: ${name}\nitems:${entries.length === 0 ? " []" : ""}\n${entries.map((entry) => `  - { term: ${entry}, definition: "${entry}  erklärt" }\n`).join("")}`;
const knowledge = (title: string) => `---\ntitle: ${title}\n---\n${title}: 95 EUR\n`;
const assistant = `name: Annahme
language: de
voice: Lea
company_name: Praxis
company_industry: Zahnmedizin
introduction: Guten Tag!
prompt: prompts/empfang
knowledge: [knowledge/preise]
glossary: [glossary/fach]
calendars: [calendars/a]
tools: [tools/x]
`;

/** Checks that the live names equal the names in the files after the service's normalization. */
function assertNamed(bench: Bench, names: Readonly<Record<string, string>>): void {
  for (const [key, name] of Object.entries(names)) {
    const row = findRow(bench, key);
    assert.ok(row, `${key} exists`);
    assert.equal(normalize(nameOf(row)), normalize(name), `${key} has this name`);
  }
}

export const configurationNames: Job = {
  about: "resources renamed, names swapped and reused, files moved, and resources moved between groups",
  async run(bench) {
    writeFiles(bench, {
      "voxctl.project.yaml": projectFile(),
      "assistants/annahme.yaml": assistant,
      "prompts/empfang.md": formatPrompt("Empfang", "Du nimmst Anrufe entgegen."),
      "prompts/alt.md": formatPrompt("Alt", "Bleibt gleich."),
      "prompts/post.md": formatPrompt("Post", "Du antwortest."),
      ...{ "calendars/a.yaml": calendar("Praxis  A"), "calendars/b.yaml": calendar("Praxis  B") },
      ...{ "tools/x.yaml": tool("x_tool"), "tools/y.yaml": tool("y_tool") },
      ...{ "glossary/fach.yaml": terms("Fach", "PZR", "OPG"), "glossary/zwei.yaml": terms("Zwei", "IGeL") },
      "knowledge/preise/_group.yaml": "name: Preise\n",
      "knowledge/preise/zahn.md": knowledge("Zahn"),
      "knowledge/wege/_group.yaml": "name: Wege\n",
      "knowledge/wege/anfahrt.md": knowledge("Anfahrt"),
    });
    await applyAll(bench);
    assertOnce(bench);
    const before = readLock(bench);
    const count = listCreated(bench).length;
    writeFiles(bench, {
      "voxctl.project.yaml": projectFile("moved:\n  - { from: prompts/empfang, to: prompts/tag }\n"),
      "assistants/annahme.yaml": assistant.replace("prompts/empfang", "prompts/tag"),
      // The first prompt is moved and gets a new text, the file of the second prompt is renamed, and the
      // third prompt gets a different type.
      ...{ "prompts/empfang.md": undefined, "prompts/tag.md": formatPrompt("Tag", "Guten Tag.") },
      ...{ "prompts/alt.md": undefined, "prompts/neu.md": formatPrompt("Alt", "Bleibt gleich.") },
      "prompts/post.md": formatPrompt("Post", "Du antwortest.", "email"),
      // The calendars exchange their names. One tool gets the previous name of the other tool.
      ...{ "calendars/a.yaml": calendar("Praxis  B"), "calendars/b.yaml": calendar("Praxis  A") },
      ...{ "tools/x.yaml": tool("y_tool"), "tools/y.yaml": tool("z_tool") },
      // Two groups exchange their names, and a term moves from one group to the other.
      ...{ "glossary/fach.yaml": terms("Zwei", "PZR"), "glossary/zwei.yaml": terms("Fach", "IGeL", "OPG") },
      "knowledge/preise/zahn.md": undefined,
      "knowledge/wege/zahn.md": knowledge("Zahn"),
    });
    await applyAll(bench, "--prune");
    const after = readLock(bench);
    assertNamed(bench, {
      ...{ "calendars/a": "Praxis  B", "calendars/b": "Praxis  A", "tools/x": "y_tool", "tools/y": "z_tool" },
      ...{ "glossary/fach": "Zwei", "glossary/zwei": "Fach", "prompts/tag": "Tag", "prompts/neu": "Alt" },
    });
    const same: Readonly<Record<string, string>> = {
      ...{ "prompts/tag": "prompts/empfang", "prompts/neu": "prompts/alt" },
      "knowledge/wege/zahn": "knowledge/preise/zahn",
    };
    const remade = ["prompts/post", "glossary/zwei#OPG"];
    for (const [key, { id }] of Object.entries(after))
      if (!remade.includes(key))
        assert.equal(id, before[same[key] ?? key]?.id, `${key} is the same resource`);
    assert.equal(listCreated(bench).length, count, "the number of resources is unchanged");
    assertOnce(bench);
    const [moved, term, post] = ["knowledge/wege/zahn", "glossary/zwei#OPG", "prompts/post"].map((key) =>
      findRow(bench, key),
    );
    assert.ok(moved && term && post);
    assert.equal(fieldsOf(moved)["group_id"], after["knowledge/wege"]?.id);
    assert.equal(fieldsOf(term)["group_id"], after["glossary/zwei"]?.id);
    assert.equal(fieldsOf(post)["kind"], "email");
    // After a lost response, the create is sent again. A 409 then proves that the resource exists (T5a).
    const refused = bench.service.log.filter(({ status }) => status === 409);
    if (!bench.lossy) assert.deepEqual(refused, [], "no name is refused");
    const written = writes(bench);
    await applyAll(bench, "--prune");
    assert.equal(writes(bench), written, "a second apply writes nothing");
    assert.equal((await config(bench, "diff")).code, 0);
  },
};
