import assert from "node:assert/strict";
import { type Bench, parseOutput } from "../../harness/bench.js";
import type { Fields } from "../../server/exchange.js";
import { fieldsOf, longAgo, type Row } from "../../server/service-state.js";
import { stored } from "../../server/values.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  apply,
  assertDone,
  config,
  filesBelow,
  findRow,
  nameOf,
  readFile,
  root,
  writeFiles,
} from "./folder.js";

function furnish({ service: { state, behavior } }: Bench): void {
  const insert = (resource: string, fields: Fields) =>
    state.insert(resource, stored(fields, behavior), "somebody", longAgo);
  const group = (type: string) =>
    state.rows("groups").find((row) => fieldsOf(row)["type"] === type && fieldsOf(row)["name"] === "Team")
      ?.id;
  const prompts = [
    insert("prompts", {
      name: "Empfang  am  Tag",
      kind: "answering",
      text: "Du nimmst an.\n\n  Eingerückt. \n",
    }),
    insert("prompts", { name: "Post", kind: "email", text: "\r\nFrühere  Zeilen\r\n---\r\n" }),
    insert("prompts", { name: "empfang am tag", kind: "answering", text: "Preis: $5 # kein Kommentar" }),
  ];
  for (const [term, definition] of [
    ["PZR", "Zahnreinigung"],
    ["OPG", "Röntgen  aller Zähne"],
    ["Zoe\u0308", ""],
  ])
    insert("glossary", { group_id: group("glossaries"), term, definition });
  insert("pronunciation", { group_id: group("pronunciations"), token: "Weiß", replacement: "Weiss  lang" });
  for (const name of ["Notdienst", "Notdienst"])
    insert("forwardings", {
      ...{ group_id: group("forwardings"), name, destination_type: "phone" },
      ...{ phone_number: "+49302318150", timeout: 30 },
    });
  for (const name of ["Zahnreinigung", "Bleaching  / Preise"])
    insert("knowledge", { group_id: group("knowledges"), name, active: true, text: `${name}: 95 EUR` });
  const weekly = { monday: [{ from: "08:00", to: "12:00" }], tuesday: [] };
  const calendar = insert("calendars", {
    ...{ name: "Praxis  Mitte", timezone: "Europe/Berlin" },
    schedules: [{ kind: "opening", weekly, overrides: [{ date: "2026-12-24", closed: true }] }],
  });
  const tool = insert("tools", {
    ...{ name: "crm_lookup", description: "", url: "https://crm.example.com/lookup", method: "POST" },
    parameters: { type: "object", properties: { phone: { type: "string" } }, required: ["phone"] },
  });
  const [voice] = state.rows("voices").filter((row) => fieldsOf(row)["name"] === "Lea");
  insert("assistants", {
    ...{ name: "Annahme", language: "de", voice_id: voice?.id, company_name: "Praxis  Weiß" },
    ...{ company_industry: "Zahnmedizin", introduction: "Guten Tag!  ", phone_number: "+493222100009" },
    ...{ prompt_id: prompts[0]?.id, email_prompt_id: prompts[1]?.id, calendar_ids: [calendar.id] },
    ...{ glossary_group_ids: [group("glossaries")], knowledge_group_ids: [group("knowledges")] },
    ...{ tool_ids: [tool.id], forwarding_group_ids: [group("forwardings")], pronunciation_group_ids: [] },
    pre_call_webhook: {
      enabled: true,
      url: "https://crm.example.com/hook",
      headers: { "X-Tenant": "praxis" },
    },
  });
}

const findByName = ({ service: { state } }: Bench, resource: string, name: string): Row => {
  const row = state
    .rows(resource)
    .find((candidate) => nameOf(candidate).toLowerCase() === name.toLowerCase());
  assert.ok(row, `${resource} ${name} exists`);
  return row;
};

async function assertEqual(bench: Bench): Promise<void> {
  const compared = await config(bench, "diff");
  assert.equal(compared.code, 0, `${compared.stdout} ${compared.stderr}`);
  const { writes: planned, refused } = parseOutput(await config(bench, "plan"));
  assert.deepEqual([planned, refused], [0, []], "a plan right after a pull is empty");
}

async function assertPullsNothing(bench: Bench, ...flags: string[]): Promise<void> {
  const before = filesBelow(bench);
  assertDone(bench, await config(bench, "pull", ...flags));
  assert.deepEqual(filesBelow(bench), before, "a pull without changes changes no byte");
}

export const configurationPull: Job = {
  about:
    "`config init` and `config pull` of an organization that was created manually, then `config pull` after changes by others",
  async run(bench) {
    const { state, behavior } = bench.service;
    furnish(bench);
    const init = ["config", "init", bench.path(root), "--target", "eins", "-o", "json"];
    let made = await bench.run(...init);
    // After an outage, the init can be repeated.
    if (made.code === 9) {
      await bench.pass();
      made = await bench.run(...init);
    }
    assert.equal(made.code, 0, made.stderr);
    const checked = await bench.run("config", "check", "--directory", bench.path(root), "-o", "json");
    assert.equal(checked.code, 0, checked.stdout);
    await assertEqual(bench);
    await assertPullsNothing(bench, "--new");
    assert.equal(writes(bench), 0, "nothing was written");
    const prompts = Object.keys(filesBelow(bench)).filter((path) => path.startsWith("prompts/"));
    assert.equal(prompts.length, 3);
    const glossary = readFile(bench, "glossary/team.yaml");
    writeFiles(bench, { "glossary/team.yaml": `# von Hand\n${glossary}# Ende\n` });
    await assertEqual(bench);
    await assertPullsNothing(bench);
    const change = (row: Row, fields: Fields) => state.change(row, stored(fields, behavior), "somebody");
    change(findByName(bench, "prompts", "Post"), { text: "Neu\r\n\r\n  geschrieben " });
    const [term] = state.rows("glossary").filter((row) => nameOf(row).toLowerCase() === "pzr");
    assert.ok(term);
    change(term, { definition: 'Zahnreinigung: "gründlich"  # 1' });
    change(findByName(bench, "tools", "crm_lookup"), { url: "https://crm.example.com/neu" });
    change(findByName(bench, "assistants", "Annahme"), { introduction: "Grüß Gott\n", tool_ids: [] });
    state.remove(findByName(bench, "knowledge", "Zahnreinigung"), "somebody");
    state.insert("tools", stored({ name: "neu", url: "https://neu.example.com" }, behavior), "somebody");
    await bench.pass();
    const compared = await config(bench, "diff", "--only", "drift");
    assert.equal(compared.code, 10, compared.stderr);
    const pulled = await config(bench, "pull", "--new", "--prune");
    assert.equal(pulled.code, 0, `${pulled.stdout} ${pulled.stderr}`);
    const { written, created, removed } = parseOutput(pulled);
    assert.deepEqual(
      [written.flatMap(({ fields }: { fields: string[] }) => fields).sort(), created, removed.length],
      [["definition", "introduction", "text", "tools", "url"], ["tools/neu"], 1],
    );
    assert.match(readFile(bench, "glossary/team.yaml"), /^# von Hand\n.*# Ende\n$/s);
    await assertEqual(bench);
    await assertPullsNothing(bench, "--new", "--prune");
    // The file and the organization change different fields: voxctl keeps and sends the file's change.
    const assistant = readFile(bench, "assistants/annahme.yaml");
    writeFiles(bench, { "assistants/annahme.yaml": assistant.replace(/^language: .*$/m, "language: en") });
    change(findByName(bench, "assistants", "Annahme"), { introduction: "Servus" });
    await bench.pass();
    assertDone(bench, await config(bench, "pull"));
    assert.match(readFile(bench, "assistants/annahme.yaml"), /^language: en$/m);
    assert.match(readFile(bench, "assistants/annahme.yaml"), /^introduction: .*servus/im);
    const before = writes(bench);
    assertDone(bench, await apply(bench));
    await bench.pass();
    if (bench.lossy) assertDone(bench, await apply(bench));
    else assert.equal(writes(bench), before + 1, "the file's change is one write");
    const row = findRow(bench, "assistants/annahme");
    assert.ok((row && bench.lossy) || (row && fieldsOf(row)["language"] === "en"));
    await assertPullsNothing(bench, "--new");
  },
};
