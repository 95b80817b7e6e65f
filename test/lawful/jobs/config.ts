import assert from "node:assert/strict";
import { type Bench, jsonOf, type Ran } from "../harness/bench.js";
import { fieldsOf } from "../server/world.js";
import type { Job } from "./job.js";
import { writes } from "./people.js";

const prompt = (name: string, text: string) => `---\nname: ${name}\nkind: answering\n---\n${text}\n`;
const files: Readonly<Record<string, string>> = {
  "konfiguration/voxctl.project.yaml":
    'version: 1\nproject: "0123456789ab"\nkinds: [assistants, prompts, knowledge, forwardings, glossary, pronunciation, calendars, tools, groups]\ntargets:\n  eins: {}\n',
  "konfiguration/prompts/empfang.md": prompt(
    "Empfang  am  Tag",
    "Du nimmst Anrufe entgegen.\n\n  Zwei  Leerzeichen. \n",
  ),
  "konfiguration/prompts/abend.md": prompt("Abends", "Wir haben geschlossen."),
  "konfiguration/glossary/fach.yaml":
    'group: Fachbegriffe\nitems:\n  - { term: PZR, definition: Zahnreinigung }\n  - { term: OPG, definition: "Röntgen  aller Zähne" }\n  - { term: IGeL }\n',
  "konfiguration/forwardings/zentrale.yaml":
    'group: Zentrale\nitems:\n  - { key: notdienst, name: Notdienst, destination_type: phone, phone_number: "+49302318150", timeout: 30 }\n',
  "konfiguration/knowledge/preise/_group.yaml": "name: Preise\n",
  "konfiguration/knowledge/preise/zahn.md": "---\ntitle: Zahnreinigung\nactive: true\n---\n95 EUR\n",
  "konfiguration/calendars/praxis.yaml": "name: Praxis\ntimezone: Europe/Berlin\n",
  "konfiguration/tools/crm.yaml": "name: crm_lookup\nurl: https://crm.example.com/lookup\n",
  "konfiguration/pronunciation/namen.yaml":
    'group: Namen\nitems:\n  - { token: Weiß, replacement: "Weiss  lang" }\n  - { token: GmbH, spell_out: true }\n',
  "konfiguration/groups/stamm.yaml": "name: Stammkunden\n",
  "konfiguration/assistants/empfang.yaml": `name: Annahme
language: de
voice: Lea
company_name: Praxis  Weiß
company_industry: Zahnmedizin
introduction: "Guten Tag!  "
prompt: prompts/empfang
knowledge: [knowledge/preise]
glossary: [glossary/fach]
pronunciation: [pronunciation/namen]
forwardings: [forwardings/zentrale]
calendars: [calendars/praxis]
tools: [tools/crm]
pre_call_webhook: { enabled: true, url: "https://crm.example.com/hook" }
`,
};
/** Groups, items, and one of each other kind. */
const things = 17;

const config = (bench: Bench, verb: string, ...flags: string[]): Promise<Ran> =>
  bench.run(
    "config",
    verb,
    "--folder",
    bench.path("konfiguration"),
    "--target",
    "eins",
    "-o",
    "json",
    ...flags,
  );

const apply = (bench: Bench, ...flags: string[]) =>
  config(bench, "apply", "--yes", "--wait", "0s", "--allow", "assistants:create", ...bench.settle, ...flags);

/** The things that the client made, by resource and name. */
function made({ service: { world } }: Bench): string[] {
  const resources = [
    "assistants",
    "groups",
    "prompts",
    "glossary",
    "pronunciation",
    "forwardings",
    "knowledge",
    "calendars",
    "tools",
  ];
  return resources.flatMap((resource) =>
    world
      .rows(resource)
      .filter(({ author }) => author === "client")
      .map(
        (row) =>
          `${resource} ${String(fieldsOf(row)["term"] ?? fieldsOf(row)["token"] ?? fieldsOf(row)["name"]).toLowerCase()}`,
      ),
  );
}

export const configuration: Job = {
  about: "a configuration applied, applied again, after a change, and after a change by others",
  async run(bench) {
    for (const [path, text] of Object.entries(files)) bench.write(path, text);
    const { lossy } = bench;
    const assertDone = ({ code, stderr }: Ran) =>
      assert.ok(code === 0 || (code === 75 && lossy), `exit ${code}: ${stderr}`);
    assertDone(await apply(bench));
    await bench.pass();
    assert.equal(
      new Set(made(bench)).size,
      made(bench).length,
      `something was made twice: ${made(bench).sort().join(", ")}`,
    );
    if (lossy) {
      // A thing whose id no answer told is bound by its name, not made again.
      await config(bench, "adopt", "--by-name");
      await apply(bench);
      await bench.pass();
      assert.equal(new Set(made(bench)).size, made(bench).length, "something was made twice after a loss");
      return;
    }
    assert.equal(made(bench).length, things);
    const before = writes(bench);
    assertDone(await apply(bench));
    assert.equal(writes(bench), before, "a second apply writes nothing");
    bench.write("konfiguration/prompts/abend.md", prompt("Abends", "Wir haben jetzt geschlossen."));
    assertDone(await apply(bench));
    assert.equal(writes(bench), before + 1, "a change is one write");
    await bench.pass();
    const compared = await config(bench, "diff");
    assert.equal(compared.code, 0, `${compared.stdout} ${compared.stderr}`);
    const [row] = bench.service.world
      .rows("prompts")
      .filter((one) => fieldsOf(one)["name"]?.toString().toLowerCase() === "abends");
    assert.ok(row);
    bench.service.world.change(row, { text: "Von Hand geändert" }, "somebody");
    await bench.pass();
    const refused = await apply(bench);
    assert.equal(refused.code, 10, refused.stderr);
    assert.deepEqual(jsonOf(await config(bench, "plan")).drift, [{ key: "prompts/abend", fields: ["text"] }]);
    assert.equal(writes(bench), before + 1, "what others changed is not overwritten");
  },
};
