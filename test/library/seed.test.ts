// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmulator, SeedError } from "../../src/library/emulator.js";
import { createTestEmulators } from "../../src/library/test-emulators.js";
import { projectText } from "../helpers/config.js";

function writeFolder(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "voxctl-seed-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const seedText = `prompts:
  abend: { name: "\${env.NAME}", kind: answering, text: Geschlossen. }
tools:
  crm: { name: crm, url: "https://crm.example.com/a", secret: { from: "file:crm.txt" } }
keys:
  - { name: ci, role: viewer }
`;

test("openEmulator fills a new database from a seed directory", async () => {
  const root = writeFolder({
    "voxctl.project.yaml": `${projectText()}  prod: { profile: offline, variables: { name: Abends } }\n`,
    "prompts/abend.md": "---\nname: ${var.name}\nkind: answering\n---\nGeschlossen.\n",
  });
  const emulators = createTestEmulators({ seed: root, seedTarget: "prod" });
  for (const _ of [1, 2]) {
    const { client, close } = await emulators.open();
    const { data } = await client.call("prompts.list");
    expect(data.map(({ name, text }) => [name, text])).toEqual([["Abends", "Geschlossen."]]);
    await client.call("prompts.delete", { path: { prompt_id: data[0]?.id ?? "" } });
    await close();
  }
  await emulators.close();
});

test("openEmulator fills a database only once from a single seed file", async () => {
  const root = writeFolder({ "welt.yaml": seedText, "crm.txt": "geheim\n" });
  const db = join(root, "welt.db");
  const options = { db, seed: join(root, "welt.yaml"), seedEnv: { NAME: "Abends" } };
  const first = await openEmulator(options);
  expect(Object.keys(first.seedKeys)).toEqual(["ci"]);
  const { data: tools } = await first.client().call("tools.list");
  expect(tools).toMatchObject([{ name: "crm", has_secret: true }]);
  expect(await first.control("GET", "/requests")).toMatchObject([{ path: "/api/v1/tools" }]);
  await first.close();
  writeFileSync(join(root, "welt.yaml"), "prompts: {}\n");
  await using second = await openEmulator(options);
  expect((await second.client().call("prompts.list")).data.map(({ name }) => name)).toEqual(["Abends"]);
  expect(second.seedKeys).toEqual({});
  expect(existsSync(`${db}.seeding`)).toBe(false);
});

test("openEmulator reports errors in a seed with file, line and field before it creates state", async () => {
  const root = writeFolder({ "welt.yaml": `${seedText}surprise: 1\n`, "voxctl.project.yaml": projectText() });
  const db = join(root, "welt.db");
  const errorOf = (options: Parameters<typeof openEmulator>[0]) =>
    openEmulator({ db, seedEnv: {}, ...options }).catch((error: unknown) => error);
  expect(await errorOf({ seed: join(root, "welt.yaml") })).toMatchObject({
    message: "welt.yaml, line 7: surprise: unknown seed field",
    problems: [{ file: "welt.yaml", line: 7, field: "surprise" }],
  });
  expect(await errorOf({ seed: join(root, "nichts") })).toBeInstanceOf(SeedError);
  expect(await errorOf({ seed: root, seedTarget: "x" })).toMatchObject({
    message: expect.stringContaining('target "x" not found'),
  });
  expect(await errorOf({ seed: "demo", seedTarget: "x" })).toBeInstanceOf(TypeError);
  expect(existsSync(db)).toBe(false);
  writeFileSync(`${db}.seeding`, "");
  expect(await errorOf({})).toMatchObject({ message: expect.stringContaining("was only partly seeded") });
});
