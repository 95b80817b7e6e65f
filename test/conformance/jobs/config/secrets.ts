import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Bench, parseOutput, type Ran } from "../../harness/bench.js";
import { isFields } from "../../server/exchange.js";
import { keys } from "../../server/service.js";
import { fieldsOf, type Row } from "../../server/service-state.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import { allTypes, applyAll, applying, config, filesBelow, findRow, readFile, writeFiles } from "./folder.js";

/** Directory of the secrets, outside of the configuration directory. */
const outside = "geheimnisse";
const mark = "MARKIERT";
const sources = ["werkzeug", "kopf", "haken"] as const;

const files = (bench: Bench) => {
  const from = (name: (typeof sources)[number]) => `{ from: "file:${bench.path(`${outside}/${name}`)}" }`;
  return {
    "voxctl.project.yaml": allTypes["voxctl.project.yaml"],
    "tools/crm.yaml": `name: crm_lookup
url: https://crm.example.com/lookup
headers:
  X-Tenant: praxis # offen
  X-Access-Token: ${from("kopf")}
secret: ${from("werkzeug")}
`,
    "assistants/annahme.yaml": `name: Annahme
language: de
voice: Lea
company_name: Praxis
company_industry: Zahnmedizin
introduction: Guten Tag!
pre_call_webhook:
  enabled: true
  url: https://crm.example.com/hook
  headers: { X-Tenant: praxis, X-Api-Key: ${from("kopf")} }
  auth: { type: bearer, secret: ${from("haken")} }
`,
  };
};

/** Returns the secrets that the service stores. No response contains them. */
function storedIn(bench: Bench): unknown[] {
  const fields = (key: string) => {
    const row = findRow(bench, key);
    assert.ok(row, `${key} exists`);
    return fieldsOf(row);
  };
  const [tool, webhook] = [fields("tools/crm"), fields("assistants/annahme")["pre_call_webhook"]];
  const within = (value: unknown, name: string) => (isFields(value) ? value[name] : undefined);
  return [
    tool["secret"],
    within(tool["headers"], "X-Access-Token"),
    within(within(webhook, "auth"), "secret"),
    within(within(webhook, "headers"), "X-Api-Key"),
  ];
}

export const configurationSecrets: Job = {
  about:
    "secrets that files refer to: they are sent once and after each change, reported if others change them, and never stored",
  async run(bench) {
    const heard: Ran[] = [];
    const recordingBench: Bench = {
      ...bench,
      async run(...argv) {
        const allowed = argv[0] === "config" ? ["--allow-file", bench.path(`${outside}/*`)] : [];
        const ran = await bench.run(...argv, ...allowed);
        heard.push(ran);
        return ran;
      },
    };
    const fill = (values: Readonly<Record<(typeof sources)[number], string>>) => {
      for (const [name, value] of Object.entries(values)) bench.write(`${outside}/${name}`, `${value}\n`);
    };
    const first = { werkzeug: `${mark}-1 a`, kopf: `${mark}-1-b`, haken: `${mark}-1 ç` };
    writeFiles(bench, files(bench));
    fill(first);
    await applyAll(recordingBench);
    assert.deepEqual(storedIn(bench), [first.werkzeug, first.kopf, first.haken, first.kopf]);
    let before = writes(bench);
    const assertSends = async (count: number, why: string, ...flags: string[]) => {
      await applyAll(recordingBench, ...flags);
      if (!bench.lossy) assert.equal(writes(bench) - before, count, why);
      before = writes(bench);
    };
    await assertSends(0, "nothing is sent without a change");
    const second = { ...first, kopf: `${mark}-2-b`, haken: `${mark}-2 ç` };
    fill(second);
    assert.deepEqual(
      parseOutput(await config(recordingBench, "plan"))
        .update.map(({ key, fields }: { key: string; fields: string[] }) => `${key}: ${fields.join()}`)
        .sort(),
      [
        "assistants/annahme: pre_call_webhook.headers.X-Api-Key,pre_call_webhook.auth.secret",
        "tools/crm: headers.X-Access-Token",
      ],
    );
    await assertSends(2, "changes are sent");
    assert.deepEqual(storedIn(bench), [second.werkzeug, second.kopf, second.haken, second.kopf]);
    await assertSends(0, "a sent change is known");
    await changeByOthers(recordingBench, findRow(bench, "tools/crm"), assertSends);
    assert.deepEqual(storedIn(bench), [second.werkzeug, second.kopf, second.haken, second.kopf]);
    // With a different API key, changes can't be detected, so no write is sent (S4).
    const profile = readFileSync(bench.path("config/config.json"), "utf8");
    bench.write("config/config.json", profile.replaceAll(keys.public, keys.rotated));
    await assertSends(0, "another key of the organization sends nothing");
    await assertSends(2, "the requested field is sent", "--rewrite-secrets");
    await assertSends(0, "the next apply also sends nothing");
    bench.write("config/config.json", profile);
    const plan = await planned(recordingBench);
    assert.ok(plan.includes("tools.delete") && plan.includes("assistants.update"), "the plan covers both");
    const texts = [...Object.entries(filesBelow(bench)), ["the plan", plan] as const];
    for (const [path, text] of texts) assert.ok(!text.includes(mark), `${path} contains a secret`);
    for (const { stdout, stderr } of heard)
      assert.ok(!`${stdout}${stderr}`.includes(mark), "the output contains a secret");
  },
};

/** Saves a plan file that deletes a resource with a secret and changes a field next to a secret. */
async function planned(bench: Bench): Promise<string> {
  const assistant = readFile(bench, "assistants/annahme.yaml");
  writeFiles(bench, {
    "tools/crm.yaml": undefined,
    "assistants/annahme.yaml": assistant.replace("/hook", "/other-hook"),
  });
  const sealed = await config(bench, "plan", "--prune", "--out", bench.path("config.plan"));
  assert.equal(sealed.code, 0, sealed.stderr);
  return readFileSync(bench.path("config.plan"), "utf8");
}

/** Another user's change is reported as drift if responses show the value, and is never pulled. */
async function changeByOthers(
  bench: Bench,
  tool: Row | undefined,
  assertSends: (count: number, why: string, ...flags: string[]) => Promise<void>,
): Promise<void> {
  assert.ok(tool);
  const { headers } = fieldsOf(tool);
  const isShown = !bench.switches.includes("credentials masked");
  const theirs = { ...(isFields(headers) ? headers : {}), "X-Access-Token": "von-Hand" };
  bench.service.state.change(tool, { headers: theirs }, "somebody");
  await bench.pass();
  const file = readFile(bench, "tools/crm.yaml");
  const pulled = await config(bench, "pull");
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.equal(readFile(bench, "tools/crm.yaml"), file, "a secret is not pulled");
  const refused = await bench.run(...applying(bench));
  if (isShown) {
    assert.equal(refused.code, 10, refused.stderr);
    assert.deepEqual(parseOutput(await config(bench, "plan")).drift, [
      { key: "tools/crm", fields: ["headers.X-Access-Token"] },
    ]);
    await assertSends(1, "drift is overwritten on request", "--drift", "overwrite");
  } else await assertSends(2, "a hidden value is sent on request", "--rewrite-secrets");
}
