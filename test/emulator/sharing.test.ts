import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { LockedError } from "../../src/emulator/index.js";
import { bundleScript } from "../helpers/bundle-script.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

interface Written {
  status: number;
  id?: string;
  name?: string;
  remaining: number;
}

const folders: string[] = [];
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-sharing-"));
  folders.push(folder);
  return join(folder, "world.db");
}

/** Unlike `node:readline`, loses no lines if the process ends while many are unread. */
async function* readLines(stream: Readable): AsyncGenerator<string, void> {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Its output `lines` has one line when it is ready, and one per response. */
async function startWriter(options: object) {
  const child = spawn(process.execPath, [await bundleScript("writer"), JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const ended = once(child, "exit").then(([code]: unknown[]) => {
    children.delete(child);
    return code;
  });
  return { child, ended, lines: readLines(child.stdout) };
}

async function collect(options: object): Promise<Written[]> {
  const { lines, ended } = await startWriter(options);
  const written: Written[] = [];
  for await (const line of lines) {
    const parsed = JSON.parse(line);
    if (!parsed.ready) written.push(parsed);
  }
  expect(await ended).toBe(0);
  return written;
}

// plain-words: allow title-long
it("[D-window concurrency] [D-id concurrency] [public.limits.write concurrency] concurrent processes write to one file without losses or repeated IDs", async () => {
  const db = newFile();
  const limits = { write: 150 };
  // The file doesn't exist yet: one process creates the database, and the others open it.
  const all = await Promise.all(["a", "b", "c", "d"].map((name) => collect({ db, name, count: 50, limits })));
  const results = all.flat();
  const created = results.filter(({ status }) => status === 201);
  expect(results).toHaveLength(200);
  expect(created).toHaveLength(150);
  expect(results.filter(({ status }) => status === 429)).toHaveLength(50);
  expect(new Set(created.map(({ id }) => id)).size).toBe(150);
  // Every slot in the window was used exactly once.
  expect(created.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 150 }, (_, index) => index),
  );
  await using emulator = await openTestEmulator("in process", { db, limits });
  const { data } = (await emulator.ask("GET", "/contacts?limit=200")).body;
  expect(data.map((row: { first_name: string }) => row.first_name).sort()).toEqual(
    created.map(({ name }) => name).sort(),
  );
  expect((await emulator.control("GET", "/status")).counts.requests).toBe(4 + 200 + 1);
}, 60_000);

it.each([["a server", true] as const, ...(process.env["PROOF"] ? [["a command", false] as const] : [])])(
  "[emulator.durable] acknowledged writes of %s survive a kill",
  async (_name, exclusive) => {
    const db = newFile();
    const { child, lines, ended } = await startWriter({
      db,
      name: "x",
      count: 1_000_000,
      exclusive,
      limits: { write: 1_000_000 },
    });
    const acknowledged: Written[] = [];
    await lines.next();
    while (acknowledged.length < 40) acknowledged.push(JSON.parse((await lines.next()).value ?? ""));
    child.kill("SIGKILL");
    // The writer also received the responses whose lines were still in the pipe.
    for await (const line of lines) acknowledged.push(JSON.parse(line));
    await ended;
    await using emulator = await openTestEmulator("in process", { db });
    const seen = new Map<string, string>();
    let cursor = "";
    do {
      const { body } = await emulator.ask("GET", `/contacts?limit=200${cursor}`);
      for (const row of body.data) seen.set(row.id, row.first_name);
      cursor = body.meta.has_more ? `&cursor=${body.meta.next_cursor}` : "";
    } while (cursor !== "");
    for (const { id, name } of acknowledged) expect(seen.get(id ?? "")).toBe(name);
    // The kill can interrupt at most one write.
    expect(seen.size - acknowledged.length).toBeLessThanOrEqual(1);
  },
  60_000,
);

it("an emulator refuses a file in use by another process until that process ends", async () => {
  const db = newFile();
  const { child, lines, ended } = await startWriter({
    db,
    name: "x",
    count: 1_000_000,
    exclusive: true,
    limits: { write: 1_000_000 },
  });
  await lines.next();
  await expect(openTestEmulator("in process", { db })).rejects.toBeInstanceOf(LockedError);
  child.kill("SIGKILL");
  await ended;
  await using emulator = await openTestEmulator("in process", { db, exclusive: true });
  expect((await emulator.ask("GET", "/ping")).status).toBe(200);
}, 60_000);

it("an emulator sees another emulator's changes to keys, organizations, the clock and faults", async () => {
  const db = newFile();
  await using firstEmulator = await openTestEmulator("in process", { db });
  await using two = await openTestEmulator("in process", { db });
  const { id, key } = await firstEmulator.control("POST", "/keys", { kind: "public" });
  const status = async () => (await two.ask("GET", "/ping", { key })).status;
  expect(await status()).toBe(200);
  await firstEmulator.control("PATCH", `/keys/${id}`, { status: "revoked" });
  expect(await status()).toBe(401);
  await firstEmulator.control("PATCH", `/keys/${id}`, { status: "active" });
  await firstEmulator.control("PATCH", `/organizations/${firstEmulator.instance.startLine.organization_id}`, {
    status: "blocked",
  });
  expect(await status()).toBe(402);
  await firstEmulator.control("PATCH", `/organizations/${firstEmulator.instance.startLine.organization_id}`, {
    status: "active",
  });
  await firstEmulator.advance(3600);
  expect((await two.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T10:00:00.000Z");
  await firstEmulator.control("POST", "/faults", { kind: "error_before", times: 1 });
  expect(await status()).toBe(500);
  expect((await firstEmulator.ask("GET", "/ping")).status).toBe(200);
  const remaining = async (emulator: typeof firstEmulator) =>
    Number((await emulator.ask("GET", "/ping", { key })).headers.get("x-ratelimit-remaining"));
  const first = await remaining(firstEmulator);
  expect([await remaining(two), await remaining(firstEmulator), await remaining(two)]).toEqual([
    first - 1,
    first - 2,
    first - 3,
  ]);
});
