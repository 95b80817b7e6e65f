// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { setUpFolder } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";
import { openSeededEmulator } from "../helpers/templates.js";

const isProof = process.env["PROOF"] !== undefined;
const count = isProof ? 300 : 4;
const names = Array.from({ length: count }, (_, index) => `t${index}`);
const withOverlay = (index: number) => index % 3 === 0;

test(`${count} organizations from one directory differ only in variables and overlays`, async () => {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
  });
  onTestFinished(() => emulator.close());
  const keys = new Map<string, string>();
  for (const name of names) {
    const { id } = (await emulator.control("POST", "/organizations", { name })) as { id: string };
    const limits = { read: 1e6, write: 1e6 };
    const made = await emulator.control("POST", "/keys", {
      kind: "public",
      organization_id: id,
      limits,
      name,
    });
    keys.set(name, (made as { key: string }).key);
  }
  const overrides: Overrides = {
    connect: async (profile, options) => {
      const { startLine } = emulator;
      const own = { ...startLine, keys: { ...startLine.keys, admin: keys.get(profile.name) ?? "" } };
      return { ...connectEmulator({ ...emulator, startLine: own }, profile, options), close: async () => {} };
    },
  };
  const { runWith, root, home, lock } = setUpFolder(
    emulator,
    {
      "voxctl.project.yaml": `version: 1
project: "0123456789ab"
kinds: [assistants, prompts, glossary, tools]
targets:
${names.map((name, index) => `  ${name}: { profile: ${name}, variables: { company: "Praxis ${index}" }${withOverlay(index) ? ", overlay: overlays/dritte" : ""} }\n`).join("")}`,
      "assistants/empfang.yaml":
        "name: Empfang\nlanguage: de\nvoice: Clara\ncompany_name: ${var.company}\ncompany_industry: Zahnmedizin\nintroduction: Guten Tag, ${var.company}.\nprompt: prompts/empfang\nglossary: [glossary/fach]\n",
      "prompts/empfang.md": "---\nname: Empfang\nkind: answering\n---\nSei freundlich.\n",
      "glossary/fach.yaml": "group: Fach\nitems:\n  - { term: PZR, definition: Zahnreinigung }\n",
      "tools/crm.yaml": "name: crm\nurl: https://crm.example.com/a\n",
      "overlays/dritte/tools/crm.yaml": "url: https://crm.example.com/dritte\n",
      "overlays/dritte/glossary/fach.yaml": "exclude: true\n",
      "overlays/dritte/assistants/empfang.yaml": "glossary: []\n",
    },
    { overrides },
  );
  const configFolder = join(home, "config");
  mkdirSync(configFolder, { recursive: true });
  const profiles = Object.fromEntries(
    names.map((name) => [name, { kind: "offline", db: join(configFolder, `${name}.db`) }]),
  );
  writeFileSync(join(configFolder, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const all = names.join(",");
  const config = (verb: string, ...more: string[]) =>
    runWith({ cwd: root }, "config", verb, "--target", all, "-o", "json", ...more);
  const began = performance.now();
  const applied = await config("apply", "--yes", "--wait", "0s", "--allow", "assistants:create");
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  const took = performance.now() - began;
  for (const [index, name] of names.entries()) {
    const api = publicApi(emulator, keys.get(name));
    const [assistant] = (await api("GET", "/assistants")).body.data as unknown as Record<string, unknown>[];
    expect(assistant).toMatchObject({
      company_name: `Praxis ${index}`,
      introduction: `Guten Tag, Praxis ${index}.`,
    });
    const [tool] = (await api("GET", "/tools")).body.data as unknown as Record<string, unknown>[];
    expect(tool?.["url"]).toBe(`https://crm.example.com/${withOverlay(index) ? "dritte" : "a"}`);
    expect((await api("GET", "/glossary")).body.data?.length).toBe(withOverlay(index) ? 0 : 1);
    expect(Object.keys(lock(name)).length).toBe(withOverlay(index) ? 3 : 5);
  }
  const planned = performance.now();
  expect((await config("diff")).code).toBe(0);
  if (isProof)
    console.log(
      `${count} targets: applied in ${Math.round(took)} ms, compared in ${Math.round(performance.now() - planned)} ms`,
    );
}, 1_800_000);
