import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.js";
import { createNetworkTransport } from "../../src/client/network-transport.js";
import type { ClientEvent, ClientOptions } from "../../src/client/types.js";
import { type Emulator, type EmulatorOptions, openEmulator } from "../../src/emulator/index.js";
import { catchError, noJitter } from "./fakes.js";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The start time is not a whole second, so that rounding becomes visible. */
async function openUnevenEmulator(options: EmulatorOptions = {}) {
  const emulator = await openEmulator({
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.437Z",
    ...options,
  });
  cleanups.push(() => emulator.close());
  return emulator;
}

function clientOf(emulator: Emulator, options: Partial<ClientOptions> = {}) {
  const events: ClientEvent[] = [];
  const { base_url, keys } = emulator.startLine;
  const client = createClient({
    targets: { public: { baseUrl: base_url, key: keys.admin } },
    transport: emulator.transport,
    clock: emulator.clock,
    random: noJitter,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const statuses = () => events.flatMap((event) => (event.type === "response" ? [event.status] : []));
  return { client, events, statuses };
}

function sharedFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-shared-"));
  cleanups.push(async () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "world.db");
}

async function contactsGroup(client: ReturnType<typeof clientOf>["client"]): Promise<string> {
  for await (const group of client.items("groups.list", { query: { type: "contacts" } })) {
    if (typeof group === "object" && group !== null && "id" in group) return String(group.id);
  }
  throw new Error("no group");
}

describe("the client with an emulator in process", () => {
  it("the client creates contacts in an in-process emulator and reads them page by page", async () => {
    const { client } = clientOf(await openUnevenEmulator());
    const group_id = await contactsGroup(client);
    for (let index = 0; index < 5; index += 1) {
      await client.call("contacts.create", { body: { group_id, first_name: `Ada ${index}` } });
    }
    const names: unknown[] = [];
    for await (const row of client.items("contacts.list", { query: { group_id } }, { pageSize: 2 })) {
      if (typeof row === "object" && row !== null && "first_name" in row) names.push(row.first_name);
    }
    expect(names).toEqual(["Ada 0", "Ada 1", "Ada 2", "Ada 3", "Ada 4"]);
  });

  it("[D-limit holds refuses] the client reads a list even if the server refuses the page size", async () => {
    const { client, statuses } = clientOf(await openUnevenEmulator());
    let count = 0;
    for await (const _ of client.items("groups.list", {}, { pageSize: 5_000 })) count += 1;
    expect(count).toBe(5);
    expect(statuses()).toEqual([400, 200]);
  });

  /** 1.5 times the limit of writes per minute. */
  const count = process.env["PROOF"] ? 1_000 : 300;
  it.each(process.env["PROOF"] ? [0, 1, 2] : [1])(
    `the client writes ${count} contacts within ${0.306 * count} s after %i other writes`,
    async (writes) => {
      const emulator = await openUnevenEmulator();
      const { client, statuses } = clientOf(emulator, { maxWaitMilliseconds: Number.POSITIVE_INFINITY });
      const group_id = await contactsGroup(client);
      for (let index = 0; index < writes; index += 1) {
        await clientOf(emulator).client.call("groups.create", {
          body: { type: "contacts", name: `Other ${index}` },
        });
      }
      const times: number[] = [];
      const pace = client.paced("contacts.create", { expected: count });
      for (let index = 0; index < count; index += 1) {
        const turn = await pace.turn();
        times.push(emulator.clock.now());
        await client.call("contacts.create", { body: { group_id, first_name: `Row ${index}` } }, { turn });
      }
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(306 * count);
      expect(statuses().filter((status) => status === 201)).toHaveLength(count);
      expect(statuses()).not.toContain(429);
    },
  );

  it("[public.errors.2a holds refuses] the client waits if other clients used up the limit", async () => {
    const emulator = await openUnevenEmulator({ limits: { write: 3 } });
    const { client, statuses, events } = clientOf(emulator);
    const otherClient = clientOf(emulator).client;
    const group = (name: string) => ({ body: { type: "contacts", name } });
    for (const name of ["a", "b", "c"]) await otherClient.call("groups.create", group(name));
    await client.call("groups.create", group("d"));
    expect(statuses()).toEqual([429, 201]);
    expect(events.some((event) => event.type === "wait" && event.reason === "limit")).toBe(true);
  });

  it("[public.errors.3 holds refuses] the client repeats a write until the rate limiter is up", async () => {
    const emulator = await openUnevenEmulator();
    await emulator.control("POST", "/faults", { kind: "limiter_down", times: 2 });
    const { client, statuses } = clientOf(emulator);
    await client.call("groups.create", { body: { type: "contacts", name: "a" } });
    expect(statuses()).toEqual([429, 429, 201]);
  });

  it.each([
    ["error_before", "api", "unknown"],
    ["error_after", "api", "unknown"],
    ["drop_before", "network", "unknown"],
    ["drop_after", "network", "unknown"],
    ["truncate", "network", "unknown"],
    ["garbage", "network", "unknown"],
  ])(
    "under the fault %s, a write is sent once and reported as unconfirmed",
    async (fault, errorType, outcome) => {
      const emulator = await openUnevenEmulator();
      await emulator.control("POST", "/faults", { kind: fault, times: 1 });
      const { client, events } = clientOf(emulator);
      const error = await catchError(client.call("groups.create", { body: { type: "contacts", name: "a" } }));
      expect(error).toMatchObject({ type: errorType, outcome, retryable: false });
      expect(events.filter((event) => event.type === "request")).toHaveLength(1);
    },
  );

  it.each(["error_before", "error_after", "drop_before", "drop_after", "truncate", "garbage"])(
    "under the fault %s, a read is repeated until it succeeds",
    async (fault) => {
      const emulator = await openUnevenEmulator();
      await emulator.control("POST", "/faults", { kind: fault, times: 3 });
      const { client } = clientOf(emulator);
      expect((await client.call("ping")).data).toMatchObject({ ok: true });
    },
  );

  it("the error for a refusal names the API rule", async () => {
    const { client } = clientOf(await openUnevenEmulator());
    const error = await catchError(client.call("contacts.get", { path: { contact_id: "0".repeat(24) } }));
    expect(error).toMatchObject({ status: 404, code: "not_found", outcome: "none" });
    expect(error.rule).toBeTruthy();
  });
});

describe("the client with an emulator over HTTP", () => {
  async function remote(options: EmulatorOptions = {}) {
    const emulator = await openUnevenEmulator(options);
    const server = await emulator.listen({ port: 0 });
    cleanups.push(() => server.close());
    const { transport, close } = createNetworkTransport({ env: {} });
    cleanups.push(close);
    const baseUrl = `${server.url}/api/v1`;
    const targets = { public: { baseUrl, key: emulator.startLine.keys.admin } };
    return { emulator, ...clientOf(emulator, { transport, targets }) };
  }

  it("the client can create a contact in an emulator over HTTP", async () => {
    const { client } = await remote();
    const group_id = await contactsGroup(client);
    const response = await client.call("contacts.create", { body: { group_id, first_name: "Ada" } });
    expect(response.status).toBe(201);
    expect(response.data).toMatchObject({ first_name: "Ada" });
  });

  it.each(["drop_after", "truncate", "garbage"])(
    "under the fault %s, a write over HTTP is unconfirmed",
    async (fault) => {
      const { emulator, client } = await remote();
      await emulator.control("POST", "/faults", { kind: fault, times: 1 });
      const error = await catchError(client.call("groups.create", { body: { type: "contacts", name: "a" } }));
      expect(error).toMatchObject({ type: "network", outcome: "unknown" });
    },
  );

  it("the error explains how to advance the clock of a frozen emulator", async () => {
    // The client's own waits don't advance this emulator's clock.
    let now = 0;
    const clock = {
      now: () => now,
      sleep: async (milliseconds: number) => {
        now += milliseconds;
      },
    };
    const { emulator } = await remote({ limits: { write: 1 } });
    const { client } = clientOf(emulator, { clock });
    const otherClient = clientOf(emulator).client;
    await otherClient.call("groups.create", { body: { type: "contacts", name: "a" } });
    const error = await catchError(client.call("groups.create", { body: { type: "contacts", name: "b" } }));
    expect(error).toMatchObject({ type: "rate_limit", outcome: "none" });
    expect(error.hint).toContain("emulator clock +60s");
  });
});

describe("clients in separate processes with one database", () => {
  it("[T12] a client waits for the next window if other processes used up the limit", async () => {
    const db = sharedFile();
    const limits = { write: 20 };
    const { client, statuses, events } = clientOf(await openUnevenEmulator({ db, limits }));
    const otherClient = clientOf(await openUnevenEmulator({ db, limits })).client;
    const group_id = await contactsGroup(client);
    const create = (by: typeof client) =>
      by.call("contacts.create", { body: { group_id, first_name: "Ada" } });
    await create(client);
    for (let index = 0; index < 17; index += 1) await create(otherClient);
    expect(client.remaining("contacts.create")).toBe(19);
    await Promise.all(Array.from({ length: 8 }, () => create(client)));
    expect(statuses().filter((status) => status !== 200)).toEqual(Array(9).fill(201));
    expect(events.filter(({ type }) => type === "withdrawn")).toHaveLength(6);
    expect(client.remaining("contacts.create")).toBe(14);
  });

  it("concurrent requests in one transaction each get their own response", async () => {
    const db = sharedFile();
    const { client } = clientOf(await openUnevenEmulator({ db }));
    const group_id = await contactsGroup(client);
    const create = (first_name: string) => client.call("contacts.create", { body: { group_id, first_name } });
    const named = ["Ada", "", "Bert", "Cora"].map(create);
    const settled = await Promise.allSettled(named);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    const { client: otherClient } = clientOf(await openUnevenEmulator({ db }));
    const names: unknown[] = [];
    for await (const row of otherClient.items("contacts.list", { query: { group_id } })) {
      if (typeof row === "object" && row !== null && "first_name" in row) names.push(row.first_name);
    }
    expect(names).toEqual(["Ada", "Bert", "Cora"]);
  });
});
