import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { ExactNumber } from "../../src/base/exact-json.js";
import { pseudonymizer } from "../../src/features/mirror/pseudonyms.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { createEmulatorAsk, openFork, readAllRows } from "../helpers/mirror.js";
import { askScript } from "../helpers/rehearsal.js";
import { reshapeResponses, type Shape } from "../helpers/reshape-responses.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

async function demoSource() {
  const emulator = await openTestEmulator("in process", { seed: "demo" });
  await emulator.advance(60);
  return emulator;
}

function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString("latin1"))
    .join("\n");
}

it("[M7] a pseudonymized mirror contains no personal data of contacts or transcripts", async () => {
  await using source = await demoSource();
  const ask = createEmulatorAsk(source.instance);
  const [first] = await readAllRows(ask, "/contacts");
  const twin = {
    first_name: first.first_name,
    phone_numbers: first.phone_numbers,
    emails: ["marked@secret.example"],
  };
  await ask("POST", "/contacts", { group_id: first.group_id, last_name: "Markedsecretname", ...twin });
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  const made = await run(
    "mirror",
    "create",
    "acme",
    "--pseudonymize",
    "--calls",
    "2d",
    "--call-details",
    "-o",
    "json",
  );
  expect(made.code, made.stderr).toBe(0);
  expect(made.json).toMatchObject({ pseudonymized: true, consistency: "consistent" });
  const fork = await openFork(data, "acme");
  const copies = await readAllRows(fork.ask, "/contacts");
  const contacts = await readAllRows(ask, "/contacts");
  const copyOf = (contact: { id: string }) => copies.find(({ id }) => id === contact.id);
  const added = contacts.at(-1);
  // Equal values have equal pseudonyms. The pseudonym of a number has the same country and length.
  expect(copyOf(added).first_name).toBe(copyOf(first).first_name);
  expect(copyOf(added).phone_numbers).toEqual(copyOf(first).phone_numbers);
  expect(copyOf(added).emails[0]).toMatch(/^user-[0-9a-f]+@example\.org$/);
  for (const [index, number] of first.phone_numbers.entries()) {
    const pseudonym = copyOf(first).phone_numbers[index];
    expect([pseudonym.slice(0, 3), pseudonym.length]).toEqual([number.slice(0, 3), number.length]);
  }
  const bytes = bytesBelow(join(data, "mirrors"));
  const personal = contacts.flatMap(({ last_name, phone_numbers, emails }) => [
    last_name,
    ...phone_numbers,
    ...emails,
  ]);
  const details = (await ask("GET", `/calls/${(await readAllRows(fork.ask, "/calls"))[0].id}`)).body.data;
  const utterances = details.transcript.map(({ text }: { text: string }) => text);
  // The mirror keeps forwardings and assistants unchanged, although their fields may name a contact.
  const elsewhere = JSON.stringify([
    ...(await readAllRows(ask, "/forwardings")),
    ...(await readAllRows(ask, "/assistants")),
  ]);
  const left = [...personal, ...utterances].filter(
    (text) => text.length > 11 && !elsewhere.includes(text) && bytes.includes(text),
  );
  expect(left).toEqual([]);
  const refreshed = await run("mirror", "refresh", "acme", "-o", "json");
  expect(refreshed.json).toMatchObject({ pseudonymized: true, consistency: "consistent" });
  // A refresh uses a new key, so a contact gets a different pseudonym.
  const later = await readAllRows((await openFork(data, "acme")).ask, "/contacts");
  expect(later.find(({ id }) => id === first.id).first_name).not.toBe(copyOf(first).first_name);
});

it("[M7] a pseudonymized mirror contains no numbers from undocumented fields of contacts", () => {
  const replaced = pseudonymizer("key");
  const contact = {
    id: 17,
    customer_number: 471117,
    tags: [471117, new ExactNumber("12345678901234567890")],
  };
  const copy = JSON.stringify(replaced("contacts", contact));
  expect(copy).toMatch(/^\{"id":17,"customer_number":(\d+),"tags":\[\1,\d+\]\}$/);
  expect(copy).not.toMatch(/471117|12345678901234567890/);
});

it("[M7] a pseudonymized mirror contains no texts from undocumented fields of recordings", () => {
  const recording = { available: true, content_type: "audio/flac" };
  const copy = pseudonymizer("key")("calls", { recording: { ...recording, name: "Anna Sommer.flac" } });
  expect(copy).toEqual({ recording: { ...recording, name: expect.stringMatching(/^name-[0-9a-f]{12}$/) } });
});

it("[M6] a profile from a mirror has its own database", async () => {
  await using source = await demoSource();
  const overrides = connectedTo(source.instance);
  const { run, runWith, data } = commandLine();
  await runWith({ overrides }, "mirror", "create", "acme");
  const added = await run("profiles", "add", "copy", "--from-mirror", "acme", "-o", "json");
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain("doesn't expire");
  await run("mirror", "delete", "acme", "--yes");
  const listed = await run("--profile", "copy", "contacts", "list", "--all", "-o", "json");
  expect(listed.json).toHaveLength(
    (await readAllRows(createEmulatorAsk(source.instance), "/contacts")).length,
  );
  expect((await run("profiles", "add", "copy", "--from-mirror", "acme")).code).toBe(12);
  expect((await run("profiles", "add", "other", "--from-mirror", "acme")).code).toBe(4);
  const seeded = await run("emulator", "start", "--db", join(data, "copy.db"), "--random-seed", "4");
  expect([seeded.code, seeded.stderr]).toEqual([2, expect.stringContaining("--random-seed can't be used")]);
});

it("`mirror delete` deletes the results files of finished rehearsals", async () => {
  await using source = await demoSource();
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  await run("mirror", "create", "acme");
  const runs = join(data, "rehearsals", "999999999.files", "data", "runs");
  mkdirSync(runs, { recursive: true });
  writeFileSync(join(runs, "2aa82de186e4.report.ndjson"), "{}\n");
  expect((await run("mirror", "delete", "acme", "--yes")).code).toBe(0);
  expect(readdirSync(join(data, "rehearsals"))).toEqual([]);
});

it("[M1] a call suite runs offline with a mirror's assistants", async () => {
  await using source = await demoSource();
  const { runWith, data } = commandLine();
  await runWith({ overrides: connectedTo(source.instance) }, "mirror", "create", "acme");
  const [assistant] = await readAllRows(createEmulatorAsk(source.instance), "/assistants");
  const suite = `
defaults: { assistant: ${assistant.name}, to: "+4915112345678" }
scenarios:
  - name: greets
    expect: { duration: { at_least: 10s } }
    offline: { status: completed, duration: 30s }
`;
  const file = join(data, "mirrors", "acme", "world.db");
  const before = readFileSync(file);
  const ran = await runWith(
    { stdin: suite },
    "calls",
    "test",
    "-",
    "--offline",
    "--mirror",
    "acme",
    "-o",
    "json",
  );
  expect(ran.code, ran.stderr).toBe(0);
  expect(readFileSync(file).equals(before)).toBe(true);
  const unknownAssistant = suite.replace(assistant.name, "Unknown assistant");
  expect(
    (await runWith({ stdin: unknownAssistant }, "calls", "test", "-", "--offline", "--mirror", "acme")).code,
  ).toBe(4);
  expect((await runWith({ stdin: suite }, "calls", "test", "-", "--offline", "--mirror", "none")).code).toBe(
    4,
  );
});

it("[M6] `mirror refresh` refuses another organization's key and keeps the mirror", async () => {
  await using source = await demoSource();
  await using otherEmulator = await openTestEmulator("in process", { randomSeed: 7 });
  const { runWith, data } = commandLine();
  await runWith(
    { overrides: connectedTo(source.instance) },
    "mirror",
    "create",
    "acme",
    "--include",
    "groups",
  );
  const refused = await runWith(
    { overrides: connectedTo(otherEmulator.instance) },
    "mirror",
    "refresh",
    "acme",
  );
  expect(refused.code, refused.stdout).toBe(12);
  expect(existsSync(join(data, "mirrors", "acme", "world.db"))).toBe(true);
});

it("[M1] the files of a mirror contain no plain header values or secrets", async () => {
  await using source = await openTestEmulator("in process");
  const ask = createEmulatorAsk(source.instance);
  const tool = {
    name: "crm",
    description: "x",
    type: "webhook",
    url: "https://crm.example/x",
    method: "POST",
    headers: { "X-Token": "marked-header-of-a-tool" },
    secret: "marked-secret-of-a-tool",
  };
  expect((await ask("POST", "/tools", tool)).status).toBe(201);
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  expect((await run("mirror", "create", "acme")).code).toBe(0);
  expect(bytesBelow(data)).not.toContain("marked-");
  // The API of the copy returns the header as the service does.
  const [copy] = await readAllRows((await openFork(data, "acme")).ask, "/tools");
  expect(copy).toEqual((await readAllRows(ask, "/tools"))[0]);
});

it("a mirror that a different version of voxctl created is listed, but can't be used", async () => {
  await using source = await demoSource();
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  await run("mirror", "create", "acme", "--include", "voices");
  const database = await openDatabase(join(data, "mirrors", "acme", "world.db"));
  database.exec("UPDATE mirror SET manifest = replace(manifest, 'consistency', 'agreement')");
  database.close();
  const [listed] = (await run("mirror", "list", "-o", "json")).json;
  expect(listed).toMatchObject({ name: "acme", state: "other version" });
  const used = await run("rehearse", "--mirror", "acme", "--", "contacts", "list");
  expect([used.code, used.stderr]).toEqual([
    12,
    expect.stringContaining('error: mirror "acme" was created by a different version of voxctl\n'),
  ]);
});

it("[M1] a mirror and its forks keep numbers that a double can't represent", async () => {
  await using source = await demoSource();
  const digits = "9223372036854775807";
  const parameters = { type: "object", properties: { id: { type: "integer", maximum: 4242 } }, required: [] };
  const ask = createEmulatorAsk(source.instance);
  await ask("POST", "/tools", { name: "crm", description: "x", url: "https://crm.example", parameters });
  const toDigits = (shape: Shape) => ({ body: JSON.stringify(shape.body).replace(":4242", `:${digits}`) });
  const { run, runWith, home } = commandLine({ env: inheritedEnvironment() });
  const overrides = reshapeResponses(source.instance, (_, shape) => toDigits(shape));
  const made = await runWith({ overrides }, "mirror", "create", "acme", "-o", "json");
  expect([made.code, made.json?.consistency], made.stderr).toEqual([0, "consistent"]);
  await run("profiles", "add", "copy", "--from-mirror", "acme");
  const listed = await run("--profile", "copy", "tools", "list", "--all", "-o", "ndjson");
  expect(listed.stdout).toContain(`"maximum":${digits}`);
  const tool = listed.stdout
    .split("\n")
    .map((line) => JSON.parse(line || "{}"))
    .find(({ name }) => name === "crm");
  const patch = `${askScript}ask("PATCH", "/tools/${tool.id}", { name: "crm2" });`;
  writeFileSync(join(home, "patch.cjs"), patch);
  const program = [process.execPath, join(home, "patch.cjs")];
  const words = ["rehearse", "--mirror", "acme", "--plan", "p.plan", "--", ...program];
  const rehearsed = await runWith({ overrides }, ...words);
  expect(rehearsed.code, rehearsed.stderr).toBe(0);
  const applied = await runWith({ overrides }, "apply", "p.plan", "--yes", "--settle", "0s", "-o", "json");
  expect([applied.code, applied.json?.steps.done], applied.stderr).toEqual([0, 1]);
});
