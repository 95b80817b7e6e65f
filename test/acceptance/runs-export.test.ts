import { copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Journal } from "../../src/write/journal/journal.js";
import { commandLine, connectedTo, type RunOptions } from "../helpers/cli.js";
import { wrapTransport } from "../helpers/import.js";
import { setUpApply } from "../helpers/set-up-apply.js";
import { openSeededEmulator } from "../helpers/templates.js";

const start = Date.parse("2026-03-02T09:00:00Z");
const job = "https://ci.example/jobs/7";
const me = `${userInfo().username}@${hostname()}`;

interface WriteRow {
  time: string;
  command: string;
  item: number | null;
  operation: string;
  resource_id: string;
  outcome: string;
}

async function setUp() {
  const emulator = await openSeededEmulator({
    ...{ seed: "empty", clock: "virtual", startTime: "2026-03-02T09:00:00Z" },
  });
  onTestFinished(() => emulator.close());
  let now = start;
  const clock = { now: () => now, sleep: async () => {} };
  const overrides = { ...connectedTo(emulator), clock };
  const shell = commandLine({ overrides, env: { VOXCTL_PROFILE: "offline", CI_JOB_URL: job } });
  writeFileSync(join(shell.home, "list.csv"), "Vorname;Telefon\nAnna;0170 1000001\nBert;0170 1000002\n");
  writeFileSync(join(shell.home, "other.csv"), "Vorname;Telefon\nCora;0170 1000003\n");
  const importFile = (options: RunOptions, file: string, ...flags: string[]) =>
    shell.runWith(
      options,
      ...["contacts", "import", file, "--group", `Aus ${file}`, "--create-group", "--country", "DE"],
      ...["-o", "json", ...flags],
    );
  const importTwo = async (): Promise<string> => {
    const { code, stderr, json } = await importFile({}, "list.csv");
    expect(code, stderr).toBe(0);
    return json.run_id;
  };
  const listWrites = async (...flags: string[]): Promise<WriteRow[]> => {
    const exported = await shell.run("runs", "export", "-o", "json", ...flags);
    expect(exported.code, exported.stderr).toBe(0);
    return exported.json;
  };
  const runsFolder = join(shell.data, "runs");
  const passDays = (days: number) => {
    now += days * 86_400_000;
    for (const name of readdirSync(runsFolder)) utimesSync(join(runsFolder, name), 1, 1);
  };
  /** Runs another import, which deletes old runs. */
  const deleteOldRuns = async () => {
    const later = await importFile({}, "other.csv");
    expect(later.code, later.stderr).toBe(0);
  };
  const listRuns = async (): Promise<string[]> =>
    (await shell.run("runs", "list", "-o", "json")).json.map(({ id }: { id: string }) => id);
  const auditFolder = join(shell.data, "audit");
  return {
    ...{ ...shell, emulator, importFile, importTwo, listWrites, listRuns },
    ...{ passDays, deleteOldRuns, runsFolder, auditFolder },
  };
}

describe("`runs export`", () => {
  test("`runs export` lists each write with its user, command, resource and time", async () => {
    const { importTwo, listWrites } = await setUp();
    const run = await importTwo();
    expect(await listWrites()).toEqual(
      [null, 1, 2].map((item) => ({
        ...{
          time: "2026-03-02T09:00:00.000Z",
          by: me,
          job,
          member: null,
          command: "contacts import",
          profile: "offline",
        },
        ...{ base_url: expect.any(String), run, item },
        operation: item === null ? "groups.create" : "contacts.create",
        ...{ resource_id: expect.any(String), outcome: "done" },
      })),
    );
  });

  test("the error for a table heading in --fields suggests the field", async () => {
    const { importTwo, run } = await setUp();
    await importTwo();
    for (const [command, heading, field] of [
      ["export", "id", "resource_id"],
      ["list", "RUN", "id"],
    ] as const) {
      const { code, stderr } = await run("runs", command, "--fields", heading);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`did you mean ${field}? fields: `)]);
    }
  });

  test("`runs export` lists an undo's writes, including the deletion of the group", async () => {
    const { importTwo, listWrites, run } = await setUp();
    const id = await importTwo();
    const undone = await run("runs", "undo", id, "--yes");
    expect(undone.code, undone.stderr).toBe(0);
    const [made, deleted] = [await listWrites(id), await listWrites(`${id}-undo`)];
    expect(deleted.map(({ operation }: WriteRow) => operation).sort()).toEqual([
      ...["contacts.delete", "contacts.delete", "groups.delete"],
    ]);
    const idsOf = (writes: WriteRow[]) => writes.map(({ resource_id }) => resource_id).sort();
    expect(idsOf(deleted)).toEqual(idsOf(made));
    expect(deleted[0]).toMatchObject({ command: "runs undo", by: me, outcome: "done" });
  });

  test("`runs export` marks refused and unconfirmed writes", async () => {
    const { importFile, listWrites, emulator } = await setUp();
    let isSent = false;
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      const isCreate = request.method === "POST" && url.endsWith("/contacts");
      // The service refuses the first row. All later responses are lost, so no list can confirm the next row.
      if (isCreate && request.body?.includes("1000001")) return transport(url, { ...request, body: "{}" });
      const response = await transport(url, request);
      isSent ||= isCreate;
      return isSent ? { ...response, status: 503 } : response;
    });
    expect((await importFile({ overrides }, "list.csv", "--outage", "0s")).code).not.toBe(0);
    const outcomes = (await listWrites()).map(({ item, outcome }: WriteRow) => [item, outcome]);
    expect(outcomes).toEqual([
      [null, "done"],
      [1, "failed"],
      [2, "unconfirmed"],
    ]);
  });

  test("`runs export` shows a refused write as unconfirmed if an earlier response was lost", async () => {
    const { seal, emulator, home, json, run, runWith } = await setUpApply(0);
    const { id } = await json("tools", "create", "--name", "crm", "--url", "https://example.com");
    seal([{ op: "tools.update", path: { tool_id: id }, body: { secret: { $secret: "crm" } }, undo: "none" }]);
    writeFileSync(join(home, "secret.txt"), "hunter2hunter2\n");
    let sent = 0;
    // The first request takes effect, but its response is lost. The service refuses the second request.
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      if (request.method !== "PATCH") return transport(url, request);
      sent += 1;
      if (sent > 1) return transport(url, { ...request, body: '{"name":""}' });
      return { ...(await transport(url, request)), status: 503 };
    });
    const secret = ["--secret", "crm=file:secret.txt"];
    const applied = await runWith({ overrides }, "apply", "kunden.plan", "--yes", "-o", "json", ...secret);
    expect([applied.code, applied.json.steps.rejected], applied.stderr).toEqual([68, 1]);
    expect(await json("tools", "get", id)).toMatchObject({ has_secret: true });
    expect((await run("runs", "export", "-o", "json")).json).toEqual([
      expect.objectContaining({ operation: "tools.update", outcome: "unconfirmed" }),
    ]);
  });

  test("`runs export` attributes each write to the command that sent it", async () => {
    const { importTwo, listWrites, run, runsFolder, passDays } = await setUp();
    const id = await importTwo();
    const second = (await listWrites()).find(({ item }) => item === 2);
    await run("contacts", "delete", second?.resource_id ?? "", "--yes");
    // Simulates an import that was killed before its second request.
    const journal = await Journal.open(join(runsFolder, `${id}.sqlite`), { create: false });
    journal.removeSetting("finished_at");
    journal.database.exec("UPDATE items SET state = 'planned', attempts = 0, target = NULL WHERE number = 2");
    journal.close();
    passDays(1);
    const resumed = await run("runs", "resume", id);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect((await listWrites()).map(({ command, time }: WriteRow) => [command, time])).toEqual([
      ["contacts import", "2026-03-02T09:00:00.000Z"],
      ["contacts import", "2026-03-02T09:00:00.000Z"],
      ["runs resume", "2026-03-03T09:00:00.000Z"],
    ]);
  });

  test("`runs export` lists the creates and deletes of a sync", async () => {
    const { importTwo, listWrites, run } = await setUp();
    await importTwo();
    const synced = await run(
      ...["contacts", "sync", "other.csv", "--group", "Aus list.csv", "--country", "DE", "--delete"],
      ...["--max-delete", "2", "--yes", "-o", "json"],
    );
    expect(synced.code, synced.stderr).toBe(0);
    const writes = await listWrites(synced.json.run_id);
    expect(writes.map(({ operation, command }) => [operation, command]).sort()).toEqual([
      ["contacts.create", "contacts sync"],
      ["contacts.delete", "contacts sync"],
      ["contacts.delete", "contacts sync"],
    ]);
  });

  test("`runs export` exits with code 4 for an unknown run", async () => {
    const { run } = await setUp();
    const { code, stderr } = await run("runs", "export", "abc");
    expect(code).toBe(4);
    expect(stderr).toContain("run abc not found");
  });

  test("`runs export` warns about a run that another process uses", async () => {
    const { importTwo, run, runsFolder } = await setUp();
    const id = await importTwo();
    const journal = await Journal.open(join(runsFolder, `${id}.sqlite`), { create: false });
    const exported = await run("runs", "export", "-o", "json");
    journal.close();
    expect(exported.json).toEqual([]);
    expect(exported.stderr).toContain(`run ${id} is active in another process`);
  });
});

describe("the writes of deleted runs", () => {
  test("[T24] `runs export` still lists the writes of a run that was deleted after 30 days", async () => {
    const { importTwo, listWrites, listRuns, passDays, deleteOldRuns } = await setUp();
    const id = await importTwo();
    const before = await listWrites(id);
    passDays(31);
    await deleteOldRuns();
    expect(await listRuns()).not.toContain(id);
    expect(await listWrites(id)).toEqual(before);
  });

  test("`runs export` still lists the writes of a discarded run", async () => {
    const { importTwo, listWrites, listRuns, run } = await setUp();
    const id = await importTwo();
    const before = await listWrites();
    expect((await run("runs", "discard", id, "--yes")).code).toBe(0);
    expect(await listRuns()).toEqual([]);
    expect(await listWrites()).toEqual(before);
  });

  test("after a kill during a run's deletion, `runs export` lists each write once", async () => {
    const { importTwo, listWrites, runsFolder, passDays, deleteOldRuns, home } = await setUp();
    const id = await importTwo();
    const before = await listWrites(id);
    const journal = join(runsFolder, `${id}.sqlite`);
    copyFileSync(journal, join(home, "kept"));
    passDays(31);
    await deleteOldRuns();
    copyFileSync(join(home, "kept"), journal);
    expect(await listWrites(id)).toEqual(before);
    utimesSync(journal, 1, 1);
    await deleteOldRuns();
    expect(await listWrites(id)).toEqual(before);
  });

  test("if two commands delete a run concurrently, its writes are kept only once", async () => {
    const { importTwo, listWrites, listRuns, passDays, deleteOldRuns } = await setUp();
    const id = await importTwo();
    const before = await listWrites(id);
    passDays(31);
    await Promise.all([deleteOldRuns(), deleteOldRuns()]);
    expect(await listRuns()).not.toContain(id);
    expect(await listWrites(id)).toEqual(before);
  });

  test("the writes of a deleted run are kept even if a new run gets its ID", async () => {
    const { importTwo, importFile, listWrites, run, passDays } = await setUp();
    const id = await importTwo();
    await run("runs", "undo", id, "--yes");
    for (const deleted of [`${id}-undo`, id]) await run("runs", "discard", deleted, "--yes");
    passDays(1);
    const groups = (await listWrites(id)).filter(({ item }: WriteRow) => item === null);
    const again = await importFile({}, "list.csv", "--on-match", "create");
    expect(again.code, again.stderr).toBe(0);
    const all = (await listWrites()).filter(({ operation }: WriteRow) => operation === "groups.create");
    expect(all).toHaveLength(groups.length + 1);
  });

  test("the saved writes of a deleted run are private and contain no names or numbers", async () => {
    const { importTwo, run, auditFolder } = await setUp();
    const id = await importTwo();
    await run("runs", "discard", id, "--yes");
    const files = readdirSync(auditFolder);
    expect(files).toHaveLength(1);
    const path = join(auditFolder, files[0] ?? "");
    expect([statSync(auditFolder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readFileSync(path, "utf8")).not.toMatch(/Anna|Bert|1000001|Aus|list\.csv/);
  });

  test("a run is not deleted if its writes can't be saved", async () => {
    const { importTwo, listRuns, run, passDays, deleteOldRuns, auditFolder } = await setUp();
    const id = await importTwo();
    writeFileSync(auditFolder, "");
    passDays(31);
    await deleteOldRuns();
    expect(await listRuns()).toContain(id);
    expect((await run("runs", "discard", id, "--yes")).code).not.toBe(0);
    expect(await listRuns()).toContain(id);
  });
});
