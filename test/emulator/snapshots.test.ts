import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { openDatabase } from "../../src/base/database.js";
import { createContact } from "../helpers/records.js";
import { openTestEmulator, type TestEmulator } from "../helpers/test-emulator.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-snapshots-"));
  folders.push(folder);
  return join(folder, "world.db");
}

/** Returns the content of the emulator's tables, without the emulator's ID or the clock's offset. */
async function everything(emulator: TestEmulator, db: string): Promise<Record<string, unknown>> {
  if (db === ":memory:") {
    const paths = [
      "contacts",
      "groups",
      "assistants",
      "knowledge-items",
      "calls?limit=200",
      "tools",
      "prompts",
    ];
    const responses = await Promise.all(paths.map((path) => emulator.ask("GET", `/${path}`)));
    return { ...responses.map(({ body }) => body) };
  }
  // A control request first writes pending batches to the file.
  await emulator.control("GET", "/status");
  const database = await openDatabase(db);
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'snapshot%' ORDER BY name",
      )
      .all()
      .map(({ name }) => String(name));
    return Object.fromEntries(
      tables.map((table) => {
        const rows = database.prepare(`SELECT * FROM "${table}" ORDER BY 1, 2`).all();
        return [table, rows.map(({ world_id, clock_offset, ...row }) => row)];
      }),
    );
  } finally {
    database.close();
  }
}

describe.each([
  ["in memory", () => ":memory:", true],
  ["in a file that a server owns", newFile, true],
  ["in a file that commands share", newFile, false],
])("snapshots of emulator state %s", (_name, newDatabasePath, exclusive) => {
  it("[emulator.snapshots] restoring a snapshot restores the clock, keys, limits and log", async () => {
    const db = newDatabasePath();
    await using emulator = await openTestEmulator("in process", {
      db,
      exclusive,
      seed: "demo",
      limits: { read: 50 },
    });
    await createContact(emulator, { first_name: "Before" });
    await emulator.control("POST", "/faults", { kind: "error_before", operation: "tools.get" });
    const { keys } = emulator.instance.startLine;
    expect(await emulator.control("POST", "/snapshots", { name: "Vor dem Import" })).toEqual({
      name: "Vor dem Import",
      taken_at: "2026-03-02T09:00:00.000Z",
    });
    const before = await everything(emulator, db);
    const remaining = async () =>
      Number((await emulator.ask("GET", "/ping")).headers.get("x-ratelimit-remaining"));
    const left = await remaining();

    await createContact(emulator, { first_name: "After" });
    await emulator.advance(86_400);
    await emulator.control("POST", "/reset", { new_keys: true });
    expect((await emulator.ask("GET", "/ping", { key: keys.admin })).status).toBe(401);

    await emulator.control("POST", "/snapshots/Vor%20dem%20Import/restore");
    expect(await everything(emulator, db)).toEqual(before);
    expect(await emulator.control("GET", "/clock")).toEqual({
      mode: "virtual",
      now: "2026-03-02T09:00:00.000Z",
    });
    expect(emulator.instance.startLine.keys).toEqual(keys);
    if (db !== ":memory:") expect(await remaining()).toBe(left);
    await createContact(emulator, { first_name: "Another" });
    await emulator.instance.restore("Vor dem Import");
    expect(await everything(emulator, db)).toEqual(before);
    expect((await createContact(emulator)).first_name).toBe("Ada");
  });

  it("[emulator.snapshots] restoring a snapshot keeps the control token and all snapshots", async () => {
    await using emulator = await openTestEmulator("in process", { db: newDatabasePath(), exclusive });
    const token = emulator.instance.startLine.control_token;
    const readEmulatorId = async () => (await emulator.ask("GET", "/ping")).headers.get("x-emulator-world");
    const former = await readEmulatorId();
    expect(await emulator.instance.snapshot()).toBe("snapshot-1");
    await emulator.advance(5);
    expect(await emulator.instance.snapshot()).toBe("snapshot-2");
    await emulator.instance.restore("snapshot-1");
    expect(await readEmulatorId()).not.toBe(former);
    expect(emulator.instance.startLine.control_token).toBe(token);
    expect(await emulator.control("GET", "/snapshots")).toEqual([
      { name: "snapshot-1", taken_at: "2026-03-02T09:00:00.000Z" },
      { name: "snapshot-2", taken_at: "2026-03-02T09:00:05.000Z" },
    ]);
    await emulator.instance.restore("snapshot-2");
    expect((await emulator.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:05.000Z");
    await emulator.control("POST", "/reset", {});
    expect(await emulator.control("GET", "/snapshots")).toHaveLength(2);
    await emulator.control("DELETE", "/snapshots/snapshot-1");
    expect(await emulator.control("GET", "/snapshots")).toHaveLength(1);
    await expect(emulator.instance.restore("snapshot-1")).rejects.toMatchObject({ status: 404 });
    // The default name differs from the name of every existing snapshot.
    expect(await emulator.instance.snapshot()).toBe("snapshot-3");
  });

  it("[emulator.snapshots] a snapshot's name is unique, and an unknown name returns 404", async () => {
    await using emulator = await openTestEmulator("in process", { db: newDatabasePath(), exclusive });
    await emulator.instance.snapshot("a");
    await expect(emulator.instance.snapshot("a")).rejects.toMatchObject({ status: 409 });
    await expect(emulator.control("POST", "/snapshots", { name: "  " })).rejects.toMatchObject({
      status: 400,
    });
    await expect(emulator.control("DELETE", "/snapshots/b")).rejects.toMatchObject({ status: 404 });
  });

  it("[emulator.snapshots] restoring a snapshot also sets a running clock back", async () => {
    const systemClock = {
      time: Date.parse("2026-03-02T09:00:00Z"),
      now: () => systemClock.time,
      sleep: async () => {},
    };
    await using emulator = await openTestEmulator("in process", {
      db: newDatabasePath(),
      exclusive,
      clock: "real",
      systemClock,
    });
    systemClock.time += 10_000;
    await emulator.instance.snapshot("a");
    systemClock.time += 60_000;
    await emulator.advance(3_600);
    expect((await emulator.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T10:01:10.000Z");
    await emulator.instance.restore("a");
    systemClock.time += 1_000;
    expect((await emulator.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:11.000Z");
  });

  it("[emulator.snapshots] a concurrent request is completely in the snapshot or not at all", async () => {
    await using emulator = await openTestEmulator("in process", { db: newDatabasePath(), exclusive });
    const group_id = await emulator.groupId("contacts");
    const create = (index: number) =>
      emulator.ask("POST", "/contacts", { body: { group_id, first_name: `Nr. ${index}` } });
    const all = [
      ...Array.from({ length: 20 }, (_, index) => create(index)),
      emulator.instance.snapshot("a"),
      ...Array.from({ length: 20 }, (_, index) => create(20 + index)),
    ];
    await Promise.all(all);
    const count = async () => (await emulator.control("GET", "/status")).counts["contacts"] ?? 0;
    expect(await count()).toBe(40);
    await Promise.all([emulator.instance.restore("a"), emulator.ask("GET", "/contacts")]);
    expect(await count()).toBeLessThanOrEqual(40);
    expect((await emulator.ask("GET", "/contacts?limit=200")).body.data).toHaveLength(await count());
  });
});

it("[emulator.snapshots] a snapshot's name must be usable in a URL", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  for (const name of ["a/b", "50 %", "Grün & 😀", "'; DROP TABLE world; --", "...", "?x=1#y"]) {
    await emulator.instance.snapshot(name);
    const path = `/_emulator/snapshots/${encodeURIComponent(name)}`;
    const key = emulator.instance.startLine.control_token;
    const restored = await emulator.askHost("POST", `${path}/restore`, { key });
    expect([restored.status, restored.body.data?.name]).toEqual([200, name]);
    expect((await emulator.askHost("DELETE", path, { key })).status).toBe(200);
  }
  for (const name of [".", "..", " .. ", "a\u0000b", "a\nb", "\ud800", "", "x".repeat(201)]) {
    await expect(emulator.instance.snapshot(name)).rejects.toMatchObject({ status: 400 });
  }
  expect(await emulator.control("GET", "/snapshots")).toEqual([]);
});

describe("snapshots in a file", () => {
  it("[emulator.snapshots] snapshots stay in the file, but are not listed as tables", async () => {
    const db = newFile();
    const first = await openTestEmulator("in process", { db });
    await createContact(first);
    await first.instance.snapshot("kept");
    await first.control("POST", "/reset", {});
    await first.close();
    await using second = await openTestEmulator("in process", { db, exclusive: true });
    const { counts } = await second.control("GET", "/status");
    expect(Object.keys(counts).filter((table) => table.startsWith("snapshot_"))).toEqual([]);
    await second.instance.restore("kept");
    expect(
      (await second.ask("GET", "/contacts", { key: second.instance.startLine.keys.admin })).body.data,
    ).toHaveLength(1);
  });

  it("[emulator.snapshots] another emulator with the same file sees the restored state at once", async () => {
    const db = newFile();
    await using firstEmulator = await openTestEmulator("in process", { db });
    await using two = await openTestEmulator("in process", { db });
    await firstEmulator.instance.snapshot("a");
    await createContact(two);
    await two.advance(3_600);
    await firstEmulator.instance.restore("a");
    expect((await two.ask("GET", "/contacts")).body.data).toEqual([]);
    expect((await two.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:00.000Z");
  });
});

describe("a fork of an emulator", () => {
  it("a fork is a complete copy that changes independently", async () => {
    await using emulator = await openTestEmulator("in process", { seed: "demo" });
    await createContact(emulator);
    await emulator.advance(7);
    await emulator.instance.snapshot("a");
    await using fork = await emulator.instance.fork();
    expect(fork.startLine.keys).toEqual(emulator.keys);
    const read = async (path: string) =>
      (
        await fork.fetch(
          new Request(`http://x/api/v1${path}`, {
            headers: { authorization: `Bearer ${emulator.keys.admin}` },
          }),
        )
      ).json();
    expect(await read("/contacts?limit=200")).toEqual(
      (await emulator.ask("GET", "/contacts?limit=200")).body,
    );
    expect(await fork.control("GET", "/clock")).toEqual(await emulator.control("GET", "/clock"));
    await createContact(emulator, { first_name: "Only here" });
    await fork.control("PATCH", "/clock", { advance_seconds: 60 });
    expect(JSON.stringify(await read("/contacts?limit=200"))).not.toContain("Only here");
    expect((await emulator.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:07.000Z");
    await fork.restore("a");
    expect(await fork.control("GET", "/clock")).toEqual({ mode: "virtual", now: "2026-03-02T09:00:07.000Z" });
  });

  it("a fork always starts with the current state", async () => {
    await using emulator = await openTestEmulator("in process");
    const forked = async () => {
      await using fork = await emulator.instance.fork();
      const authorization = `Bearer ${emulator.keys.admin}`;
      const response = await fork.fetch(
        new Request("http://x/api/v1/contacts", { headers: { authorization } }),
      );
      return z.object({ data: z.array(z.object({ first_name: z.string() })) }).parse(await response.json())
        .data;
    };
    await emulator.instance.snapshot("empty");
    await createContact(emulator, { first_name: "Anna" });
    expect((await forked()).map((contact) => contact.first_name)).toEqual(["Anna"]);
    expect(await forked()).toHaveLength(1);
    await emulator.instance.restore("empty");
    expect(await forked()).toEqual([]);
    await createContact(emulator, { first_name: "Berta" });
    expect((await forked()).map((contact) => contact.first_name)).toEqual(["Berta"]);
  });

  it("forking a database file is refused", async () => {
    await using emulator = await openTestEmulator("in process", { db: newFile() });
    await expect(emulator.instance.fork()).rejects.toThrow(/copy .*world\.db/);
  });
});

it("[emulator.snapshots] conflicts and cascading deletes work after repeated restores", async () => {
  await using emulator = await openTestEmulator("in process", { seed: "demo" });
  const id = (await emulator.ask("GET", "/calendars")).body.data[0].id;
  const { id: group_id } = (
    await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "New" } })
  ).body.data;
  await createContact(emulator, { group_id });
  await emulator.control("POST", "/snapshots", { name: "start" });
  // A driver that cached the previous schema would crash after a few iterations.
  for (let time = 0; time < 50; time += 1) {
    expect((await emulator.ask("DELETE", `/calendars/${id}`)).status).toBe(409);
    expect((await emulator.ask("DELETE", `/groups/${group_id}`)).status).toBe(200);
    expect((await emulator.ask("GET", `/contacts?group_id=${group_id}`)).body.data).toEqual([]);
    await emulator.control("POST", "/snapshots/start/restore");
  }
});
