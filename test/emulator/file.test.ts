import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { migrate } from "../../src/emulator/database/schema.js";
import { LockedError, UnusableFileError } from "../../src/emulator/index.js";
import { createContact, createGroup } from "../helpers/records.js";
import { openWorld, startTime } from "../helpers/world.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-file-"));
  folders.push(folder);
  return join(folder, "world.db");
}

const open = (db: string, options: object = {}) => openWorld("in process", { db, ...options });

describe.each([
  ["shared", false],
  ["owned", true],
])("a world in a file, %s", (_name, exclusive) => {
  it("is the same world after it was closed: rows, keys, clock, windows, faults, log and cursors", async () => {
    const db = newFile();
    const first = await open(db, { exclusive, limits: { read: 5 } });
    const group = await createGroup(first, "contacts", "Customers");
    const contact = await createContact(first, { group_id: group.id });
    await createContact(first);
    const page = await first.ask("GET", "/contacts?limit=1");
    const made = await first.control("POST", "/keys", { kind: "public", name: "Nightly" });
    await first.control("POST", "/faults", { kind: "error_before", operation: "groups.get", skip: 1 });
    await first.ask("GET", `/groups/${group.id}`);
    await first.advance(12.345);
    const before = {
      keys: first.keys,
      clock: await first.control("GET", "/clock"),
      faults: await first.control("GET", "/faults"),
      token: first.emulator.startLine.control_token,
    };
    await first.close();

    await using second = await open(db, { exclusive, limits: { read: 5 } });
    expect(second.keys).toEqual(before.keys);
    expect(second.emulator.startLine.control_token).toBe(before.token);
    expect(await second.control("GET", "/clock")).toEqual(before.clock);
    expect(await second.control("GET", "/faults")).toEqual(before.faults);
    expect((await second.control("GET", "/requests"))[0].path).toBe(`/api/v1/groups/${group.id}`);
    // The reads of before are counted already; the fault has skipped its first.
    const next = await second.ask("GET", `/contacts?limit=1&cursor=${page.body.meta.next_cursor}`, {
      key: made.key,
    });
    expect([next.status, next.body.data.length]).toEqual([200, 1]);
    const struck = await second.ask("GET", `/groups/${group.id}`);
    expect([struck.status, struck.headers.get("x-ratelimit-remaining")]).toEqual([500, "0"]);
    expect((await second.ask("GET", "/ping")).status).toBe(429);
    const read = await second.ask("GET", `/contacts/${contact.id}`, { key: made.key });
    expect(read.body.data).toEqual(contact);
  });

  it("keeps what a file that exists has: another seed, start time or random seed changes nothing", async () => {
    const db = newFile();
    const first = await open(db, { exclusive });
    const contact = await createContact(first);
    await first.close();
    await using second = await open(db, {
      exclusive,
      seed: "demo",
      startTime: "2030-01-01T00:00:00Z",
      randomSeed: 9,
    });
    expect((await second.ask("GET", "/contacts")).body.data).toEqual([contact]);
    expect((await second.ask("GET", "/ping")).body.data.now).toBe(startTime);
    expect((await createContact(second)).id > contact.id).toBe(true);
  });
});

describe("the file of a world", () => {
  it("that is refused has nothing laid beside it, and neither has a folder", async () => {
    const csv = newFile();
    writeFileSync(csv, "first_name,phone\nAnna,+4930123456\n");
    const foreign = newFile();
    const database = await openDatabase(foreign);
    database.exec("CREATE TABLE notes (text TEXT)");
    database.close();
    for (const exclusive of [false, true]) {
      await expect(open(csv, { exclusive })).rejects.toThrow("is no database");
      await expect(open(foreign, { exclusive })).rejects.toThrow("not one of voxctl's emulator");
      const folder = dirname(csv);
      await expect(open(folder, { exclusive })).rejects.toThrow(
        new UnusableFileError(`${folder} can't be used: it is a folder`),
      );
    }
    for (const file of [csv, foreign]) expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    expect(existsSync(`${dirname(csv)}.lock`)).toBe(false);
  });

  it("[D-keys] holds digests of the keys only; it and its key are for their owner alone", async () => {
    const db = newFile();
    const world = await open(db, { exclusive: true });
    const made = await world.control("POST", "/keys", { kind: "legacy" });
    for (const key of [made.key, ...Object.values(world.keys)]) {
      await world.askHost("GET", "/api/v1/ping", { key });
      await world.ask("POST", "/groups", { key, body: { authorization: `Bearer ${key}` } });
    }
    await world.close();
    const bytes = Buffer.concat([readFileSync(db), readFileSync(`${db}.key`)]).toString("latin1");
    for (const key of [made.key, ...Object.values(world.keys)]) expect(bytes).not.toContain(key);
    expect(statSync(db).mode & 0o777).toBe(0o600);
    expect(statSync(`${db}.key`).mode & 0o777).toBe(0o600);
    expect(statSync(`${db}.key`).size).toBe(32);
  });

  it("a copy with its key is the same world, one without gets new seeded keys and keeps the made ones", async () => {
    const db = newFile();
    const world = await open(db);
    const contact = await createContact(world);
    const made = await world.control("POST", "/keys", { kind: "public" });
    await world.close();

    const whole = newFile();
    copyFileSync(db, whole);
    copyFileSync(`${db}.key`, `${whole}.key`);
    await using twin = await open(whole);
    expect(twin.keys).toEqual(world.keys);
    expect((await twin.ask("GET", "/contacts")).body.data).toEqual([contact]);

    const bare = newFile();
    copyFileSync(db, bare);
    await using stranger = await open(bare);
    for (const [name, value] of Object.entries(stranger.keys)) {
      expect([name, Object.values(world.keys).includes(value)]).toEqual([name, false]);
    }
    expect((await stranger.ask("GET", "/contacts")).body.data).toEqual([contact]);
    expect((await stranger.ask("GET", "/contacts", { key: world.keys.admin })).status).toBe(401);
    expect((await stranger.ask("GET", "/contacts", { key: made.key })).status).toBe(200);
    expect(statSync(`${bare}.key`).mode & 0o777).toBe(0o600);
  });

  it("of a newer version is refused with a message, and is not touched", async () => {
    const db = newFile();
    await (await open(db, { exclusive: true })).close();
    const database = await openDatabase(db);
    database.exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const before = readFileSync(db);
    const refused = await open(db).catch((error) => error);
    expect(refused).toBeInstanceOf(UnusableFileError);
    expect(refused.message).toContain("written by a newer voxctl (format 99");
    expect(readFileSync(db).equals(before)).toBe(true);
  });

  it("that is another program's database is refused, and is not touched", async () => {
    const db = newFile();
    const database = await openDatabase(db);
    database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
    database.close();
    const before = readFileSync(db);
    for (const exclusive of [false, true]) {
      const refused = await open(db, { exclusive }).catch((error) => error);
      expect(refused).toBeInstanceOf(UnusableFileError);
      expect(refused.message).toContain("not one of voxctl's emulator");
    }
    expect(readFileSync(db).equals(before)).toBe(true);
  });

  it("that is no database at all is refused, and is not touched", async () => {
    const db = newFile();
    const text = "first_name;last_name\n".repeat(100);
    writeFileSync(db, text);
    const refused = await open(db).catch((error) => error);
    expect(refused).toBeInstanceOf(UnusableFileError);
    expect(refused.message).toContain("is no database");
    expect(refused.message).toContain(db);
    expect(readFileSync(db, "utf8")).toBe(text);
    const folder = await open(join(db, "..")).catch((error) => error);
    expect(folder).toBeInstanceOf(UnusableFileError);
  });

  it("that is damaged is refused by its name, and is not touched", async () => {
    const db = newFile();
    await (await open(db, { exclusive: true })).close();
    const part = readFileSync(db).subarray(0, 20_000);
    writeFileSync(db, part);
    for (const exclusive of [true, false]) {
      const refused = await open(db, { exclusive }).catch((error) => error);
      expect(refused).toBeInstanceOf(UnusableFileError);
      expect(refused.message).toBe(`${db} can't be used: it is damaged`);
    }
    expect(readFileSync(db).equals(part)).toBe(true);
  });

  it("is opened again after it was refused or closed: nothing stays locked", async () => {
    const db = newFile();
    for (let count = 0; count < 3; count += 1) await (await open(db, { exclusive: true })).close();
    await using world = await open(db, { exclusive: true });
    expect((await world.ask("GET", "/ping")).status).toBe(200);
  });

  it("with something else in its FILE.key is refused", async () => {
    const db = newFile();
    await (await open(db, { exclusive: true })).close();
    writeFileSync(`${db}.key`, "hello");
    await expect(open(db)).rejects.toBeInstanceOf(UnusableFileError);
    expect(readFileSync(`${db}.key`, "utf8")).toBe("hello");
  });

  it("of version 1 is migrated on open, with all that it holds", async () => {
    const db = newFile();
    const now = await open(db, { exclusive: true });
    const contact = await createContact(now, { last_name: "Old" });
    await now.close();
    const old = newFile();
    await copyAsVersionOne(db, old);
    copyFileSync(`${db}.key`, `${old}.key`);

    await using world = await open(old);
    expect(world.keys).toEqual(now.keys);
    expect((await world.ask("GET", "/contacts")).body.data).toEqual([contact]);
    expect((await world.ask("GET", "/groups")).body.data).toHaveLength(5);
    expect((await createContact(world)).id > contact.id).toBe(true);
    // The tables that version 1 did not have are there.
    expect((await world.control("GET", "/status")).counts).toHaveProperty("assistants");
  });

  it("that a server owns opens neither for a second server nor for a command, until the server is gone", async () => {
    const db = newFile();
    const owner = await open(db, { exclusive: true });
    await expect(open(db)).rejects.toBeInstanceOf(LockedError);
    await expect(open(db, { exclusive: true })).rejects.toBeInstanceOf(LockedError);
    await owner.close();
    await using command = await open(db);
    expect((await command.ask("GET", "/ping")).status).toBe(200);
  });

  it("a starting server waits for a command that holds the file", async () => {
    const db = newFile();
    const command = await open(db);
    const server = open(db, { exclusive: true });
    await command.close();
    await using opened = await server;
    expect((await opened.ask("GET", "/ping")).status).toBe(200);
  });
});

/** A file as the first version left it, with the rows of this one's that it had tables and columns for. */
async function copyAsVersionOne(from: string, to: string): Promise<void> {
  const database = await openDatabase(to);
  migrate(database, 1);
  database.exec(`ATTACH '${from}' AS now; PRAGMA foreign_keys = OFF`);
  const tables = database
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables) {
    const columns = database
      .prepare(`SELECT name FROM main.pragma_table_info('${name}')`)
      .all()
      .map((column) => `"${column["name"]}"`)
      .join(", ");
    database.exec(`INSERT INTO main."${name}" (${columns}) SELECT ${columns} FROM now."${name}"`);
  }
  database.close();
}
