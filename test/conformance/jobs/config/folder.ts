/**
 * A user's configuration directory and the commands that run in it. Only tests with the emulator
 * (test/config/) cover texts of any form, 300 targets and runs of several hours.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { Bench, Ran } from "../../harness/bench.js";
import { fieldsOf, type Row } from "../../server/service-state.js";

export const root = "konfiguration";

/** File contents by path in the directory; undefined removes the file. */
type Files = Readonly<Record<string, string | undefined>>;

export const formatPrompt = (name: string, text: string, promptKind = "answering") =>
  `---\nname: ${name}\nkind: ${promptKind}\n---\n${text}\n`;

/** @param more lines at the end of the project file */
export const projectFile = (more = "") =>
  `version: 1\nproject: "0123456789ab"\nkinds: [assistants, prompts, knowledge, forwardings, glossary, pronunciation, calendars, tools, groups]\ntargets:\n  eins: {}\n${more}`;

/** Each type of resource, with white space, accents and empty fields that a deployment may normalize. */
export const allTypes = {
  "voxctl.project.yaml": projectFile(),
  "prompts/empfang.md": formatPrompt(
    "Empfang  am  Tag",
    "Du nimmst Anrufe entgegen.\n\n  Zwei  Leerzeichen. \n",
  ),
  "prompts/abend.md": formatPrompt("Abends", "Wir haben geschlossen."),
  "glossary/fach.yaml":
    'group: Fachbegriffe\nitems:\n  - { term: PZR, definition: Zahnreinigung }\n  - { term: OPG, definition: "Röntgen  aller Zähne" }\n  - { term: IGeL }\n',
  "forwardings/zentrale.yaml":
    'group: Zentrale\nitems:\n  - { key: notdienst, name: Notdienst, destination_type: phone, phone_number: "+49302318150", timeout: 30 }\n',
  "knowledge/preise/_group.yaml": "name: Preise\n",
  "knowledge/preise/zahn.md": "---\ntitle: Zahnreinigung\nactive: true\n---\n95 EUR\n",
  "calendars/praxis.yaml": "name: Praxis\ntimezone: Europe/Berlin\n",
  "tools/crm.yaml": "name: crm_lookup\nurl: https://crm.example.com/lookup\n",
  "pronunciation/namen.yaml":
    'group: Namen\nitems:\n  - { token: Weiß, replacement: "Weiss  lang" }\n  - { token: GmbH, spell_out: true }\n',
  "groups/stamm.yaml": "name: Stammkunden\n",
  "assistants/empfang.yaml": `name: Annahme
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
} as const;
export const allTypesItemCount = 17;

export function writeFiles(bench: Bench, files: Files): void {
  for (const [path, text] of Object.entries(files))
    if (text === undefined) rmSync(bench.path(join(root, path)), { recursive: true, force: true });
    else bench.write(join(root, path), text);
}

export const readFile = (bench: Bench, path: string) => readFileSync(bench.path(join(root, path)), "utf8");

/** Returns the contents of all files in a directory, by path, except the backup copies of a pull. */
export function filesBelow(bench: Bench, path = root): Record<string, string> {
  const folder = bench.path(path);
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".orig"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(files.map((file) => [relative(folder, file), readFileSync(file, "latin1")]));
}

export const config = (bench: Bench, verb: string, ...flags: string[]): Promise<Ran> =>
  looking(bench, "config", verb, ...toTargetFlags(bench), ...flags);

/** Repeats a read-only command if an outage lasts longer than the command's retries (exit code 9). */
async function looking(bench: Bench, ...argv: string[]): Promise<Ran> {
  const ran = await bench.run(...argv);
  if (ran.code !== 9 || !bench.switches.some((name) => name.endsWith("for 10 s"))) return ran;
  await bench.pass();
  return bench.run(...argv);
}

const toTargetFlags = (bench: Bench) => ["--directory", bench.path(root), "--target", "eins", "-o", "json"];

export const applying = (bench: Bench, ...flags: string[]) => [
  ...["config", "apply", ...toTargetFlags(bench), "--yes", "--wait", "0s"],
  ...["--allow", "assistants:create", "--allow", "assistants:delete", ...bench.settle, ...flags],
];

export const apply = (bench: Bench, ...flags: string[]) => bench.run(...applying(bench, ...flags));

/** Checks that the command succeeded, or correctly reported unconfirmed writes if requests are lost. */
export function assertDone({ lossy }: Bench, { code, stderr }: Ran): void {
  assert.ok(code === 0 || (code === 75 && lossy), `exit ${code}: ${stderr}`);
}

/**
 * Applies until all changes are confirmed. A resource whose ID was in no response is bound by name, not
 * created again.
 */
export async function applyAll(bench: Bench, ...flags: string[]): Promise<void> {
  let ran = await apply(bench, ...flags);
  for (let tries = 0; bench.lossy && ran.code !== 0 && tries < 6; tries += 1) {
    await bench.pass();
    await config(bench, "adopt");
    ran = await apply(bench, ...flags);
  }
  assert.equal(ran.code, 0, ran.stderr);
  await bench.pass();
}

export function readLock(bench: Bench): Record<string, { id: string; made: boolean }> {
  const [, ...lines] = readFile(bench, "locks/eins.jsonl").trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map((line) => [line.key, line]));
}

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

export function findRow(bench: Bench, key: string): Row | undefined {
  const id = readLock(bench)[key]?.id ?? "";
  return resources.map((resource) => bench.service.state.get(resource, id)).find((row) => row !== undefined);
}

export function listCreated({ service: { state } }: Bench): string[] {
  return resources.flatMap((resource) =>
    state
      .rows(resource)
      .filter(({ author }) => author === "client")
      .map((row) => `${resource} ${nameOf(row).toLowerCase()}`),
  );
}

export function nameOf(row: Row): string {
  const fields = fieldsOf(row);
  return String(fields["term"] ?? fields["token"] ?? fields["name"]);
}

export function assertOnce(bench: Bench): void {
  const names = listCreated(bench).sort();
  assert.equal(new Set(names).size, names.length, `something was made twice: ${names.join(", ")}`);
}

export function assertOthersUnchanged({ service: { state } }: Bench): void {
  for (const resource of resources)
    for (const row of state.everRows(resource)) {
      if (row.author === "client") continue;
      assert.notEqual(row.deletedBy, "client", `${resource} ${nameOf(row)} of others was deleted`);
      assert.ok(
        row.versions.every(({ by }) => by !== "client"),
        `${resource} ${nameOf(row)} of others was changed`,
      );
    }
}
