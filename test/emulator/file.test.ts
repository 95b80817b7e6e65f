import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/base/database.js";
import { systemRandom } from "../../src/base/random.js";
import { createTables, migrate } from "../../src/emulator/database/schema.js";
import { LockedError, UnusableFileError } from "../../src/emulator/index.js";
import { loadMigrations } from "../../src/emulator/resources.js";
import { callTool } from "../helpers/mcp.js";
import { createContact, createGroup } from "../helpers/records.js";
import { startTime } from "../helpers/templates.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-file-"));
  folders.push(folder);
  return join(folder, "world.db");
}

const remedy = "move this file to another directory to create a new database, or use another file";

const dataFolder = fileURLToPath(new URL("../data", import.meta.url));

function bytesOf(db: string): string {
  const files = [db, `${db}-wal`].filter((file) => existsSync(file));
  return Buffer.concat(files.map((file) => readFileSync(file))).toString("latin1");
}

const open = (db: string, options: object = {}) => openTestEmulator("in process", { db, ...options });

describe.each([
  ["shared", false],
  ["owned", true],
])("an emulator database in a file, %s", (_name, exclusive) => {
  it("a reopened database keeps rows, keys, clock, rate-limit windows, faults, log and cursors", async () => {
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
      token: first.instance.startLine.control_token,
    };
    await first.close();

    await using second = await open(db, { exclusive, limits: { read: 5 } });
    expect(second.keys).toEqual(before.keys);
    expect(second.instance.startLine.control_token).toBe(before.token);
    expect(await second.control("GET", "/clock")).toEqual(before.clock);
    expect(await second.control("GET", "/faults")).toEqual(before.faults);
    expect((await second.control("GET", "/requests"))[0].path).toBe(`/api/v1/groups/${group.id}`);
    // The reopened emulator still counts the earlier reads. It also knows that the fault has skipped a request.
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

  it("a database keeps its content if it is opened with a different seed", async () => {
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

describe("the file of an emulator database", () => {
  it("if a database path is refused, no files are created next to it", async () => {
    const csv = newFile();
    writeFileSync(csv, "first_name,phone\nAnna,+4930123456\n");
    const otherFile = newFile();
    const database = await openDatabase(otherFile);
    database.exec("CREATE TABLE notes (text TEXT)");
    database.close();
    for (const exclusive of [false, true]) {
      await expect(open(csv, { exclusive })).rejects.toThrow("is not a database");
      await expect(open(otherFile, { exclusive })).rejects.toThrow("is not an emulator database");
      const folder = dirname(csv);
      await expect(open(folder, { exclusive })).rejects.toThrow(
        new UnusableFileError(`${folder} can't be used: it is a directory`),
      );
    }
    for (const file of [csv, otherFile]) expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    expect(existsSync(`${dirname(csv)}.lock`)).toBe(false);
  });

  it("[D-keys] a database contains only digests of keys", async () => {
    const db = newFile();
    const emulator = await open(db, { exclusive: true });
    const { control_token } = emulator.instance.startLine;
    const made = await emulator.control("POST", "/keys", { kind: "legacy" });
    for (const key of [made.key, ...Object.values(emulator.keys)]) {
      await emulator.askHost("GET", "/api/v1/ping", { key });
      await emulator.ask("POST", "/groups", { key, body: { authorization: `Bearer ${key}` } });
    }
    await emulator.close();
    const bytes = Buffer.concat([readFileSync(db), readFileSync(`${db}.key`)]).toString("latin1");
    for (const key of [made.key, control_token, ...Object.values(emulator.keys)])
      expect(bytes).not.toContain(key);
    expect(statSync(db).mode & 0o777).toBe(0o600);
    expect(statSync(`${db}.key`).mode & 0o777).toBe(0o600);
    expect(statSync(`${db}.key`).size).toBe(32);
  });

  it("a copied database keeps its initial keys only if its key file is also copied", async () => {
    const db = newFile();
    const emulator = await open(db);
    const contact = await createContact(emulator);
    const made = await emulator.control("POST", "/keys", { kind: "public" });
    await emulator.close();

    const whole = newFile();
    copyFileSync(db, whole);
    copyFileSync(`${db}.key`, `${whole}.key`);
    await using twin = await open(whole);
    expect(twin.keys).toEqual(emulator.keys);
    expect((await twin.ask("GET", "/contacts")).body.data).toEqual([contact]);

    const bare = newFile();
    copyFileSync(db, bare);
    await using copy = await open(bare);
    for (const [name, value] of Object.entries(copy.keys)) {
      expect([name, Object.values(emulator.keys).includes(value)]).toEqual([name, false]);
    }
    expect((await copy.ask("GET", "/contacts")).body.data).toEqual([contact]);
    expect((await copy.ask("GET", "/contacts", { key: emulator.keys.admin })).status).toBe(401);
    expect((await copy.ask("GET", "/contacts", { key: made.key })).status).toBe(200);
    expect(statSync(`${bare}.key`).mode & 0o777).toBe(0o600);
  });

  it("a database that a newer version wrote is refused and not changed", async () => {
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

  it("a database of another program is refused and not changed", async () => {
    const db = newFile();
    const database = await openDatabase(db);
    database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
    database.close();
    const before = readFileSync(db);
    for (const exclusive of [false, true]) {
      const refused = await open(db, { exclusive }).catch((error) => error);
      expect(refused).toBeInstanceOf(UnusableFileError);
      expect(refused.message).toContain("is not an emulator database");
    }
    expect(readFileSync(db).equals(before)).toBe(true);
  });

  it("a file that is not a database is refused and not changed", async () => {
    const db = newFile();
    const text = "first_name;last_name\n".repeat(100);
    writeFileSync(db, text);
    const refused = await open(db).catch((error) => error);
    expect(refused).toBeInstanceOf(UnusableFileError);
    expect(refused.message).toContain("is not a database");
    expect(refused.message).toContain(db);
    expect(readFileSync(db, "utf8")).toBe(text);
    const folder = await open(join(db, "..")).catch((error) => error);
    expect(folder).toBeInstanceOf(UnusableFileError);
  });

  it("a server refuses a damaged database at startup, and a command at its first request", async () => {
    const db = newFile();
    const made = await open(db, { exclusive: true, seed: "demo" });
    const { admin } = made.keys;
    await made.close();
    await damage(db, "knowledge_items");
    const message = `${db} is damaged; ${remedy}`;
    await expect(open(db, { exclusive: true })).rejects.toThrow(
      new UnusableFileError(message, { isDamaged: true }),
    );
    await using emulator = await open(db);
    const { transport, startLine } = emulator.instance;
    const pending = transport(`${startLine.base_url}/knowledge-items`, {
      method: "GET",
      headers: { authorization: `Bearer ${admin}` },
    });
    await expect(pending).rejects.toThrow(new UnusableFileError(message, { isDamaged: true }));
    const reply = await emulator.ask("GET", "/knowledge-items", { key: admin });
    expect([reply.status, reply.body.error.message]).toEqual([500, message]);
    await expect(emulator.control("GET", "/tables/knowledge_items?limit=1000")).rejects.toThrow(message);
  });

  it("a database is refused if its key file is a directory", async () => {
    const db = newFile();
    await (await open(db, { exclusive: true })).close();
    rmSync(`${db}.key`);
    mkdirSync(`${db}.key`);
    for (const exclusive of [true, false])
      await expect(open(db, { exclusive })).rejects.toThrow(
        new UnusableFileError(`${db}.key can't be used: it is a directory`),
      );
  });

  it("a database has the same key, lock and state if opened through a symbolic link", async () => {
    const db = newFile();
    const folder = dirname(db);
    symlinkSync("world.db", join(folder, "link.db"));
    symlinkSync(folder, join(folder, "there"));
    const names = [db, join(folder, "link.db"), join(folder, "there", "link.db")];
    for (const [at, name] of names.entries()) {
      const emulator = await open(name, { exclusive: true });
      expect(emulator.instance.startLine.db).toBe(realpathSync(db));
      if (at > 0) expect((await emulator.ask("GET", "/contacts")).body.data).toHaveLength(at);
      await createContact(emulator);
      for (const alias of names) await expect(open(alias)).rejects.toBeInstanceOf(LockedError);
      await emulator.close();
    }
    // The -wal and -shm files of connections that the driver has not closed can remain.
    const files = readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(files.sort()).toEqual(["link.db", "there", "world.db", "world.db.key", "world.db.lock"]);
  });

  it("a database at a dangling symbolic link is created at the link's target", async () => {
    const db = newFile();
    const link = join(dirname(db), "link.db");
    symlinkSync(db, link);
    await (await open(link)).close();
    expect(existsSync(db)).toBe(true);
    expect(existsSync(`${link}.key`)).toBe(false);
    symlinkSync("circle", join(dirname(db), "circle"));
    await expect(open(join(dirname(db), "circle"))).rejects.toThrow();
  });

  it("a database with several hard links is refused", async () => {
    const db = newFile();
    await (await open(db)).close();
    linkSync(db, `${db}.second`);
    for (const name of [db, `${db}.second`]) await expect(open(name)).rejects.toThrow(/it has 2 hard links/);
    expect(existsSync(`${db}.second.key`)).toBe(false);
    rmSync(`${db}.second`);
    await (await open(db)).close();
  });

  it("the error for a damaged database contains its path", async () => {
    const db = newFile();
    await (await open(db, { exclusive: true })).close();
    const part = readFileSync(db).subarray(0, 20_000);
    writeFileSync(db, part);
    for (const exclusive of [true, false]) {
      const refused = await open(db, { exclusive }).catch((error) => error);
      expect(refused).toBeInstanceOf(UnusableFileError);
      expect(refused.message).toBe(`${db} is damaged; ${remedy}`);
    }
    expect(readFileSync(db).equals(part)).toBe(true);
  });

  it("a leftover -wal file of a removed database does not affect a new database", async () => {
    const db = newFile();
    const first = await open(db);
    const names = async ({ ask }: Pick<typeof first, "ask">) =>
      (await ask("GET", "/groups")).body.data.map(({ name }: { name: string }) => name);
    const original = await names(first);
    for (const name of ["Eins", "Zwei"]) await createGroup(first, "contacts", name);
    copyFileSync(`${db}-wal`, `${db}.saved`);
    await first.close();
    rmSync(db);
    renameSync(`${db}.saved`, `${db}-wal`);
    await using second = await open(db);
    expect(await names(second)).toEqual(original);
  });

  it("a closed database leaves no lock and can be opened again", async () => {
    const db = newFile();
    for (let count = 0; count < 3; count += 1) await (await open(db, { exclusive: true })).close();
    await using emulator = await open(db, { exclusive: true });
    expect((await emulator.ask("GET", "/ping")).status).toBe(200);
  });

  it("a database is refused if FILE.key has invalid content", async () => {
    const db = newFile();
    await (await open(db, { exclusive: true })).close();
    writeFileSync(`${db}.key`, "hello");
    await expect(open(db)).rejects.toBeInstanceOf(UnusableFileError);
    expect(readFileSync(`${db}.key`, "utf8")).toBe("hello");
  });

  it("a new database has the same tables as a migrated database", async () => {
    const sealing = { fileKey: Buffer.alloc(32), random: systemRandom() };
    const [former, first, second] = await Promise.all([1, 2, 3].map(() => openDatabase(newFile())));
    if (!former || !first || !second) throw new Error("three were opened");
    const migrations = await loadMigrations();
    migrate(former, sealing, migrations.slice(0, 1));
    migrate(former, sealing, migrations);
    for (const database of [first, second]) createTables(database);
    expect(definitionsOf(former).length).toBeGreaterThan(50);
    expect(definitionsOf(first)).toEqual(definitionsOf(former));
    expect(definitionsOf(second)).toEqual(definitionsOf(former));
    for (const database of [former, first, second]) database.close();
  });

  it("a database of version 1 is migrated when opened, with all its data", async () => {
    const db = newFile();
    const now = await open(db, { exclusive: true });
    const contact = await createContact(now, { last_name: "Old" });
    await now.close();
    const old = newFile();
    await copyAsVersionOne(db, old);
    copyFileSync(`${db}.key`, `${old}.key`);

    await using emulator = await open(old);
    expect(emulator.keys).toEqual(now.keys);
    expect((await emulator.ask("GET", "/contacts")).body.data).toEqual([contact]);
    expect((await emulator.ask("GET", "/groups")).body.data).toHaveLength(5);
    expect((await createContact(emulator)).id > contact.id).toBe(true);
    // The tables that version 1 lacked now exist.
    expect((await emulator.control("GET", "/status")).counts).toHaveProperty("assistants");
  });

  it("migrating a database of format 4 keeps its snapshots and encrypts its headers", async () => {
    const db = newFile();
    const text = readFileSync(join(dataFolder, "database-4.sql"), "utf8");
    const key = /its key: ([0-9a-f]{64})/.exec(text)?.[1] ?? "";
    const database = await openDatabase(db);
    database.exec(text);
    const [{ control_token: oldToken } = {}] = database.prepare("SELECT control_token FROM world").all();
    database.close();
    writeFileSync(`${db}.key`, Buffer.from(key, "hex"), { mode: 0o600 });

    const emulator = await open(db);
    const headers = async () => {
      const [tool] = (await emulator.ask("GET", "/tools")).body.data;
      const [assistant, bare] = (await emulator.ask("GET", "/assistants")).body.data;
      expect(bare?.pre_call_webhook).toBeNull();
      expect(assistant.pre_call_webhook).toMatchObject({
        enabled: true,
        auth: { type: "bearer", has_secret: true },
      });
      expect(Object.keys(assistant.pre_call_webhook ?? {})).toEqual(["enabled", "url", "headers", "auth"]);
      return [tool.headers, assistant.pre_call_webhook?.headers];
    };
    expect(await headers()).toEqual([
      { "X-Tool-Token": "tool-header-after", __proto__x: "1" },
      { "X-Hook-Token": "hook-header-after" },
    ]);
    expect((await emulator.ask("GET", "/contacts")).body.data[0]).toMatchObject({ last_name: "Old" });
    expect(await emulator.control("GET", "/clock")).toEqual({
      mode: "virtual",
      now: "2026-03-02T09:01:30.000Z",
    });
    expect(await emulator.control("GET", "/faults")).toHaveLength(1);
    expect(await emulator.control("GET", "/status")).toMatchObject({ unreadable_secrets: 0 });
    expect(emulator.instance.startLine.control_token).not.toBe(oldToken);
    await emulator.instance.restore("before");
    expect(await headers()).toEqual([
      { "X-Tool-Token": "tool-header-before" },
      { "X-Hook-Token": "hook-header-before" },
    ]);
    expect(await emulator.control("GET", "/clock")).toMatchObject({ now: startTime });
    await emulator.close();
    const bytes = bytesOf(db);
    for (const secret of ["header-before", "header-after", String(oldToken)])
      expect(bytes).not.toContain(secret);
  });

  it("migrating a database of format 6 leaves its texts unchanged, even in snapshots", async () => {
    const db = newFile();
    const text = readFileSync(join(dataFolder, "database-6.sql"), "utf8");
    const expectedResponses = JSON.parse(readFileSync(join(dataFolder, "database-6.responses.json"), "utf8"));
    const database = await openDatabase(db);
    database.exec(text);
    database.close();
    const key = /its key: ([0-9a-f]{64})/.exec(text)?.[1] ?? "";
    writeFileSync(`${db}.key`, Buffer.from(key, "hex"), { mode: 0o600 });

    await using emulator = await open(db);
    const lists = async () => {
      const names = ["contacts", "glossary", "pronunciation", "forwardings"];
      const read = names.map(async (name) => {
        const { data } = (await emulator.ask("GET", `/${name}`)).body;
        for (const row of data)
          expect((await emulator.ask("GET", `/${name}/${row.id}`)).body.data).toEqual(row);
        return [name, data];
      });
      return Object.fromEntries(await Promise.all(read));
    };
    // The comparison of text also checks the order of the fields.
    const expectLists = async (as: unknown) => expect(JSON.stringify(await lists())).toBe(JSON.stringify(as));
    await expectLists(expectedResponses.after);
    const [contact] = expectedResponses.after.contacts;
    const filtered = await emulator.ask("GET", `/contacts?group_id=${contact.group_id}`);
    expect(filtered.body.data).toEqual(expectedResponses.after.contacts);
    await emulator.instance.restore("before");
    await expectLists(expectedResponses.before);
    await createGroup(emulator, "contacts", "Other");
    expect((await emulator.ask("DELETE", `/groups/${contact.group_id}`)).status).toBe(200);
    expect((await emulator.ask("GET", "/contacts")).body.data).toEqual([]);
    await emulator.control("PUT", "/snapshots/then", expectedResponses.file);
    await emulator.instance.restore("then");
    await expectLists(expectedResponses.before);
  });

  it("no other server or command can open a database that a server uses", async () => {
    const db = newFile();
    const owner = await open(db, { exclusive: true });
    await expect(open(db)).rejects.toBeInstanceOf(LockedError);
    // Takes 5 s, because a starting server waits for running commands.
    if (process.env["PROOF"]) await expect(open(db, { exclusive: true })).rejects.toBeInstanceOf(LockedError);
    await owner.close();
    await using command = await open(db);
    expect((await command.ask("GET", "/ping")).status).toBe(200);
  });

  it("a starting server opens the database as soon as a command releases the database", async () => {
    const db = newFile();
    const command = await open(db);
    const server = open(db, { exclusive: true });
    await command.close();
    await using opened = await server;
    expect((await opened.ask("GET", "/ping")).status).toBe(200);
  });
});

describe.each([
  ["a server that commits several requests together", true, "over HTTP"],
  ["its own process", true, "in process"],
  ["a command", false, "in process"],
] as const)("a database file that is moved or replaced while %s uses it", (_name, exclusive, transport) => {
  it.each(["removed", "replaced"])(
    "after the database file was %s, no write is acknowledged",
    async (how) => {
      const db = newFile();
      await using emulator = await openTestEmulator(transport, { db, exclusive });
      const contact = await createContact(emulator);
      renameSync(db, `${db}.away`);
      if (how === "replaced") copyFileSync(`${db}.away`, db);
      const group_id = contact.group_id;
      const writes = await Promise.all([
        emulator.ask("POST", "/contacts", { body: { group_id, first_name: "Lost" } }),
        emulator.ask("PATCH", `/contacts/${contact.id}`, { body: { first_name: "Lost" } }),
        emulator.ask("DELETE", `/contacts/${contact.id}`),
        callTool(emulator, "contacts_create", { group_id, first_name: "Lost" }),
      ]);
      const message = `${db} was ${how} while it was in use; restore it, or stop the programs that use it`;
      for (const { status, body } of writes.slice(0, 3)) {
        expect([status, body.error.code, body.error.message]).toEqual([500, "internal_error", message]);
      }
      expect(writes[3]?.body.result).toMatchObject({
        isError: true,
        structuredContent: { error: { message } },
      });
      await expect(emulator.control("POST", "/snapshots")).rejects.toThrow(message);
      renameSync(`${db}.away`, db);
      expect(
        (await emulator.ask("POST", "/contacts", { body: { group_id, first_name: "Kept" } })).status,
      ).toBe(201);
    },
  );
});

async function damage(db: string, table: string): Promise<void> {
  const database = await openDatabase(db);
  const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table);
  const size = Number(Object.values(database.prepare("PRAGMA page_size").get() ?? {})[0]);
  database.close();
  const bytes = readFileSync(db);
  const start = (Number(root?.["rootpage"]) - 1) * size;
  writeFileSync(db, bytes.fill(0x5a, start, start + size));
}

function definitionsOf(database: Database): unknown[] {
  return database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
}

/** Copies a database to the format of the first version, which lacks some tables and columns. */
async function copyAsVersionOne(from: string, to: string): Promise<void> {
  const database = await openDatabase(to);
  const [first] = await loadMigrations();
  if (first === undefined) throw new Error("there is no migration");
  migrate(database, { fileKey: Buffer.alloc(32), random: systemRandom() }, [first]);
  database.exec(`ATTACH '${from}' AS now; PRAGMA foreign_keys = OFF`);
  const tables = database
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables) {
    const columnsOf = (schema: string) =>
      database
        .prepare(`SELECT name FROM pragma_table_info('${name}', '${schema}')`)
        .all()
        .map((column) => `"${column["name"]}"`);
    const [old, now] = [columnsOf("main"), new Set(columnsOf("now"))];
    const member = (column: string) => `('{' || members) ->> '$.${column.slice(1, -1)}'`;
    const formerly = (column: string) =>
      column.endsWith('_at"') ? `unixepoch(${member(column)}) * 1000` : member(column);
    const values = old.map((column) =>
      now.has(column) ? column : now.has('"members"') ? formerly(column) : "'as it was'",
    );
    database.exec(
      `INSERT INTO main."${name}" (${old.join(", ")}) SELECT ${values.join(", ")} FROM now."${name}"`,
    );
  }
  database.close();
}
