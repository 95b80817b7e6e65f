import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { systemRandom } from "../../src/base/random.js";
import {
  copyDatabaseFile,
  createFork,
  type Emulator,
  openClosedFork,
  openEmulator,
} from "../../src/emulator/index.js";
import { actOnOrganizations, randomOrganizationWrite } from "../helpers/random-organizations.js";
import { applyRandomWrite, randomWrite } from "../helpers/random-writes.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

let template: Promise<string> | undefined;
/** Only the first call creates the database. */
function demoFile(): Promise<string> {
  template ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "voxctl-fork-base-"));
    const db = join(folder, "world.db");
    await (await openEmulator({ db, seed: "demo", clock: "virtual", exclusive: true })).close();
    return db;
  })();
  return template;
}

interface Fork {
  emulator: Emulator;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; headers: Headers; data: any }>;
  askDistributor: Fork["ask"];
  end(): ReturnType<typeof openClosedFork>;
  files: { base: string; fork: string };
}

async function openFork({ latencyMilliseconds = 0 } = {}): Promise<Fork> {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-fork-"));
  folders.push(folder);
  const files = { base: join(folder, "base.db"), fork: join(folder, "fork.db") };
  copyDatabaseFile(await demoFile(), files.base);
  await createFork(files.base, files.fork, {
    clock: "virtual",
    latencyMilliseconds,
    systemClock: systemClock(),
    random: systemRandom(),
  });
  const emulator = await openEmulator({ db: files.fork, exclusive: true });
  const asker =
    (base: string, key: string): Fork["ask"] =>
    async (method, path, body) => {
      const response = await emulator.fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const parsed: any = await response.json();
      return { status: response.status, headers: response.headers, data: parsed.data ?? parsed };
    };
  const { keys } = emulator.startLine;
  return {
    emulator,
    files,
    ask: asker("/api/v1", keys.admin),
    askDistributor: asker("/api/distributor/v2", keys.distributor_v2),
    async end() {
      await emulator.close();
      return openClosedFork(files.fork, files.base);
    },
  };
}

const group = (fork: Fork, type: string) =>
  fork.ask("GET", `/groups?type=${type}`).then(({ data }) => String(data[0].id));

describe("a fork that records its writes", () => {
  it("a fork records each write in order, with the resource before and after it", async () => {
    const fork = await openFork();
    const group_id = await group(fork, "contacts");
    const body = { group_id, first_name: "Neu", phone_numbers: ["+491510000003"] };
    const { data: made } = await fork.ask("POST", "/contacts", body);
    await fork.ask("PATCH", `/contacts/${made.id}`, { first_name: "Neue" });
    await fork.ask("DELETE", `/contacts/${made.id}`);
    const closed = await fork.end();
    const writes = [...closed.writes()];
    expect(writes.map(({ operation, status, effect }) => [operation, status, effect])).toEqual([
      ["contacts.create", 201, true],
      ["contacts.update", 200, true],
      ["contacts.delete", 200, true],
    ]);
    expect(writes[0]).toMatchObject({ body, createdId: made.id, before: null, after: { first_name: "Neu" } });
    expect(writes[1]).toMatchObject({ before: { first_name: "Neu" }, after: { first_name: "Neue" } });
    expect(writes[2]).toMatchObject({ body: null, before: { first_name: "Neue" }, after: null });
    // The created contact was deleted again, so the fork's effect contains no change.
    expect([...closed.effect.changes]).toEqual([]);
    expect(closed.effect).toMatchObject({ writes: 3, reads: 1, refused: [], disagreements: [] });
    closed.close();
  });

  it("a fork records for refused and failed requests whether they had an effect", async () => {
    const fork = await openFork();
    const group_id = await group(fork, "contacts");
    await fork.ask("POST", "/contacts", { group_id, first_name: "" });
    await fork.emulator.control("POST", "/faults", { kind: "error_after", method: "POST", times: 1 });
    const lost = await fork.ask("POST", "/contacts", {
      group_id,
      first_name: "Da",
      phone_numbers: ["+491510000004"],
    });
    expect(lost.status).toBe(500);
    const closed = await fork.end();
    const writes = [...closed.writes()];
    expect(writes.map(({ status, effect, code }) => [status, effect, code])).toEqual([
      [400, false, "validation_failed"],
      [500, true, null],
    ]);
    expect(closed.effect.refused).toMatchObject([
      { operation: "contacts.create", code: "validation_failed", count: 1 },
    ]);
    expect(closed.effect.disagreements).toEqual([]);
    expect([...closed.effect.changes.values()]).toMatchObject([{ resource: "contacts", action: "created" }]);
    closed.close();
  });

  it("a fork's file contains secrets and headers only in encrypted form", async () => {
    const fork = await openFork();
    const { data: made } = await fork.ask("POST", "/tools", {
      name: "crm",
      description: "looks up",
      url: "https://crm.example.com/",
      method: "POST",
      headers: { "X-Token": "MARKED-HEADER" },
      parameters: {},
      secret: "MARKED-SECRET",
    });
    expect(made.has_secret).toBe(true);
    const closed = await fork.end();
    const bytes = readFileSync(fork.files.fork);
    expect(bytes.includes("MARKED")).toBe(false);
    const [write] = [...closed.writes()];
    expect(write?.body).toMatchObject({ secret: { $secret: 1 }, headers: { "X-Token": "MARKED-HEADER" } });
    expect(closed.secret(1)).toBe("MARKED-SECRET");
    closed.close();
  });

  it("a fork records the contacts that were deleted with their group", async () => {
    const fork = await openFork();
    const { data: made } = await fork.ask("POST", "/groups", { type: "contacts", name: "Alt" });
    const [{ group_id: before }] = (await fork.ask("GET", "/contacts")).data;
    const { data: contacts } = await fork.ask("GET", `/contacts?group_id=${before}&limit=200`);
    await fork.ask("POST", "/contacts", {
      group_id: before,
      first_name: "Neu",
      phone_numbers: ["+491510000005"],
    });
    expect((await fork.ask("DELETE", `/groups/${before}`)).status).toBe(200);
    const closed = await fork.end();
    expect(closed.effect.cascaded.get("contacts")).toBe(contacts.length + 1);
    expect(closed.effect.disagreements).toEqual([]);
    expect(closed.effect.changes.get(`groups/${made.id}`)?.action).toBe("created");
    expect(closed.effect.changes.get(`contacts/${contacts[0].id}`)?.action).toBe("deleted");
    closed.close();
  });
});

describe("time in a fork", () => {
  it("[W7] concurrent requests advance a fork's clock by the latency only once", async () => {
    const fork = await openFork({ latencyMilliseconds: 85 });
    const start = fork.emulator.clock.now();
    await Promise.all(Array.from({ length: 8 }, () => fork.ask("GET", "/ping")));
    expect(fork.emulator.clock.now() - start).toBe(85);
    const { headers } = await fork.ask("GET", "/ping");
    expect(fork.emulator.clock.now() - start).toBe(170);
    expect(Number(headers.get("x-emulator-time"))).toBe(start + 170);
    const closed = await fork.end();
    expect(closed.effect.seconds).toBe(0.17);
    closed.close();
  });
});

describe("the effect of all writes to a fork", () => {
  const whole = process.env["PROOF"] !== undefined;
  const runs = whole ? 200 : 3;
  const seed = Number(process.env["PROOF_SEED"] ?? (whole ? Date.now() % 1e6 : 5));
  it(`[R7] a fork's recorded writes match the changes in its tables (${runs} sequences)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomWrite, { minLength: 5, maxLength: 30 }), async (actions) => {
        const fork = await openFork();
        for (const action of actions) await applyRandomWrite(fork.ask, action);
        const closed = await fork.end();
        expect(closed.effect.disagreements).toEqual([]);
        closed.close();
      }),
      { numRuns: runs, seed },
    );
  });

  it(`a fork's recorded writes match the changes to organizations (${runs} sequences)`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomOrganizationWrite, { minLength: 5, maxLength: 20 }),
        async (actions) => {
          const fork = await openFork();
          for (const action of actions) {
            await fork.emulator.clock.sleep(60_000);
            await actOnOrganizations(fork.askDistributor, action);
          }
          const closed = await fork.end();
          expect(closed.effect.disagreements).toEqual([]);
          closed.close();
        },
      ),
      { numRuns: runs, seed },
    );
  });
});
