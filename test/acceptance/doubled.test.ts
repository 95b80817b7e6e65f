// Another machine creates contacts in the same group during an import. The service has no locks.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Transport } from "../../src/base/transport.js";
import { createTestClock } from "../conformance/harness/clock.js";
import { commandLine, type TestIo } from "../helpers/cli.js";
import { readContacts, readLines } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";

const people = ["Anna", "Bert", "Cleo"].map((first_name, index) => ({
  first_name,
  phone_numbers: [`+49301234${index}`],
}));

async function openService() {
  const clock = createTestClock();
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const key = emulator.startLine.keys.admin;
  let isStarted = false;
  let reads = 0;
  let onFirstCreate = async () => {};
  const transport: Transport = async (url, request) => {
    if (request.method === "GET" && url.includes("/contacts?")) reads += 1;
    if (request.method === "POST" && url.endsWith("/contacts") && !isStarted) {
      isStarted = true;
      await onFirstCreate();
    }
    return emulator.transport(url, request);
  };
  const overrides = { clock, transport };
  const shell = commandLine({
    env: { VOXCTL_BASE_URL: "https://far.example/api/v1", VOXCTL_API_KEY: key },
    overrides,
  });
  const group = (await shell.run("groups", "create", "--type", "contacts", "--name", "Kunden", "-o", "json"))
    .json;
  const file = join(shell.home, "kunden.csv");
  const rows = people.map(({ first_name, phone_numbers }) => `${first_name},${phone_numbers[0]}`);
  writeFileSync(file, `first_name,phone_numbers\n${rows.join("\n")}\n`);
  const create = async (fields: object) => {
    const response = await emulator.fetch(
      new Request("http://emulator.localhost/api/v1/contacts", {
        method: "POST",
        body: JSON.stringify({ group_id: group.id, ...fields }),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      }),
    );
    expect(response.status).toBe(201);
  };
  const importing = ["contacts", "import", file, "--group", "Kunden", "--settle", "0s", "-o", "json"];
  return {
    ...shell,
    import: (...flags: string[]) => shell.run(...importing, ...flags),
    importInterrupted() {
      let io: TestIo | undefined;
      const before = (given: TestIo) => {
        io = given;
      };
      const onJournalStep = (step: string) => {
        if (step === "sent") io?.signal("SIGINT");
      };
      return shell.runWith({ before, overrides: { ...overrides, onJournalStep } }, ...importing);
    },
    sync: (...flags: string[]) =>
      shell.run("contacts", "sync", file, "--group", "Kunden", "--settle", "0s", "-o", "json", ...flags),
    create,
    createAtFirstWrite(contacts: readonly object[]) {
      onFirstCreate = async () => {
        for (const contact of contacts) await create(contact);
      };
    },
    contacts: () => readContacts(emulator, group.id),
    listReads: () => reads,
  };
}

describe("the check at the end of a run", () => {
  test("an import exits with code 68 if another machine creates the same contacts", async () => {
    const service = await openService();
    service.createAtFirstWrite(people.slice(1));
    const { code, json, stderr } = await service.import();
    expect(code).toBe(68);
    expect(json).toMatchObject({ created: 3, unchanged: 0, doubled: { count: 2 } });
    expect(json.doubled.pairs).toHaveLength(2);
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      code: "doubled_elsewhere",
      retryable: false,
      outcome: "done",
      hint: expect.stringContaining("voxctl contacts dedupe --group Kunden"),
    });
  });

  test("the results file lists each pair of contacts that two machines created", async () => {
    const service = await openService();
    service.createAtFirstWrite(people);
    const { json } = await service.import();
    const lines = readLines(json.report).map(({ id, doubled }) => [id, ...(doubled as string[])]);
    expect(lines.sort()).toEqual(json.doubled.pairs.sort());
    expect(lines).toHaveLength(3);
  });

  test("`contacts dedupe` deletes the newer contact of each pair that two machines created", async () => {
    const service = await openService();
    service.createAtFirstWrite(people);
    await service.import();
    expect(await service.contacts()).toHaveLength(6);
    const deduped = await service.run("contacts", "dedupe", "--group", "Kunden", "--settle", "0s", "--yes");
    expect(deduped.code, deduped.stderr).toBe(0);
    expect(await service.contacts()).toHaveLength(3);
  });

  test("the final check for duplicates ignores older contacts and contacts with other numbers", async () => {
    const service = await openService();
    await service.create({ ...people[0], first_name: "Anne" });
    service.createAtFirstWrite([{ first_name: "Anna", phone_numbers: ["+4930999"] }]);
    const { code, json } = await service.import();
    expect(code).toBe(0);
    expect(json).toMatchObject({ created: 2, unchanged: 1 });
    expect(json).not.toHaveProperty("doubled");
  });

  test("with --on-match create, the final check for duplicates compares all sent fields", async () => {
    const service = await openService();
    const [anna, bert] = people;
    service.createAtFirstWrite([{ ...anna }, { ...bert, first_name: "Bertha" }]);
    const { code, json } = await service.import("--on-match", "create");
    expect(code).toBe(68);
    expect(json.doubled).toMatchObject({ count: 1 });
  });

  test("the final check for duplicates covers the contacts that a sync creates", async () => {
    const service = await openService();
    service.createAtFirstWrite(people.slice(0, 1));
    const { code, json, stderr } = await service.sync();
    expect(code, stderr).toBe(68);
    expect(json).toMatchObject({ created: 3, doubled: { count: 1 } });
    expect(stderr).toContain("doubled_elsewhere");
    expect(readFileSync(json.report, "utf8")).toContain('"doubled":["');
  });

  test("the final check for duplicates covers the contacts that a plan file creates", async () => {
    const service = await openService();
    service.createAtFirstWrite(people.slice(0, 2));
    const plan = join(service.home, "kunden.plan");
    expect((await service.import("--plan", plan)).code).toBe(0);
    const { code, json } = await service.run("apply", plan, "--settle", "0s", "--yes", "-o", "json");
    expect(code).toBe(68);
    expect(json).toMatchObject({ created: 3, doubled: { count: 2 } });
  });

  test("a resumed run also ends with the check for duplicates", async () => {
    const service = await openService();
    service.createAtFirstWrite(people.slice(0, 2));
    const interrupted = await service.importInterrupted();
    expect(interrupted.code).toBe(130);
    const resumed = await service.import();
    expect(resumed.code, resumed.stderr).toBe(68);
    expect(resumed.json.doubled.count).toBeGreaterThan(0);
  });

  test("--no-final-check skips the check for duplicates and prints a note", async () => {
    const service = await openService();
    service.createAtFirstWrite(people);
    const { code, json, stderr } = await service.import("--no-final-check");
    expect(code).toBe(0);
    expect(json).not.toHaveProperty("doubled");
    expect(stderr).toContain("Skipped the check for contacts that another machine created");
  });

  test("the check for duplicates is skipped if the run created no contacts", async () => {
    const service = await openService();
    await service.import();
    const before = service.listReads();
    expect((await service.import()).code).toBe(0);
    // Nothing is written, so the list is read only once, for the plan.
    expect(service.listReads() - before).toBe(1);
  });
});
