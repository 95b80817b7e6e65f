import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../src/base/clock.js";
import { systemRandom } from "../../src/base/random.js";
import { openSharedLedger } from "../../src/client/shared-ledger.js";
import { catchError, createLimitedService, key } from "./fakes.js";

const create = { body: { group_id: "0123456789abcdef01234567", first_name: "Ada" } };
const leaseMilliseconds = 20_000;

function machine(limits: Parameters<typeof createLimitedService>[0]) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const service = createLimitedService(limits);
  const path = join(folder, "data", "limits.sqlite");
  const process = (bounds: { maxWaitMilliseconds?: number } = {}, clock: Clock = service.clock) => {
    const ledger = openSharedLedger({ path, clock, random: systemRandom(), leaseMilliseconds });
    onTestFinished(() => ledger.close());
    return service.client({ ledger, clock, maxWaitMilliseconds: 0, ...bounds });
  };
  const bulk = () => process({ maxWaitMilliseconds: Number.POSITIVE_INFINITY });
  return { ...service, path, process, bulk };
}

describe("processes that use one key", () => {
  it("processes with the same key share its limit in a private file that contains no keys", async () => {
    const { process, path, refusals } = machine({ limit: 3 });
    for (let count = 0; count < 3; count += 1) await process().call("contacts.create", create);
    expect(await catchError(process().call("contacts.create", create))).toMatchObject({
      type: "rate_limit",
      outcome: "none",
    });
    expect(refusals()).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "latin1")).not.toContain(key);
  });

  it("processes count each other's requests before any response arrives", async () => {
    const { process } = machine({ limit: 200, headers: false });
    const [firstClient, secondClient] = [process(), process()];
    await firstClient.call("contacts.create", create);
    await secondClient.call("contacts.create", create);
    expect(firstClient.remaining("contacts.create")).toBe(198);
  });

  it("capacity that a killed process reserved becomes available after a window", async () => {
    const { bulk, process, clock } = machine({ limit: 200, headers: false });
    const pace = bulk().paced("contacts.create", { expected: 5 });
    // The killed process never used or released these turns.
    for (let count = 0; count < 5; count += 1) await pace.turn();
    const secondClient = process();
    await secondClient.call("contacts.create", create);
    clock.advance(61_001);
    expect(secondClient.remaining("contacts.create")).toBe(200);
  });

  it("the turns of a burst are reserved for all processes", async () => {
    const { bulk, process } = machine({ limit: 200, headers: false });
    const pace = bulk().paced("contacts.create", { expected: 100 });
    await pace.turn();
    expect(pace.burst(49)).toHaveLength(49);
    const secondClient = process();
    await secondClient.call("contacts.create", create);
    expect(secondClient.remaining("contacts.create")).toBe(149);
  });

  it("a run that no longer fits into the window gets no burst", async () => {
    const { bulk } = machine({ limit: 200, headers: false });
    const [one, two] = [bulk(), bulk()].map((client) => client.paced("contacts.create", { expected: 120 }));
    await one?.turn();
    expect(one?.burst(119)).toHaveLength(119);
    await two?.turn();
    expect(two?.burst(119)).toHaveLength(0);
  });

  it("a process doesn't use capacity that another process has reserved", async () => {
    const { bulk, process, clock } = machine({ limit: 200, headers: false });
    const pace = bulk().paced("contacts.create", { expected: 9 });
    for (let count = 0; count < 5; count += 1) await pace.turn();
    clock.advance(leaseMilliseconds - 1);
    const secondClient = process();
    await secondClient.call("contacts.create", create);
    expect(secondClient.remaining("contacts.create")).toBe(194);
  });

  it("bulk runs with the same key take turns, and never reach the limit", async () => {
    const { bulk, times, refusals } = machine({ limit: 200, latency: 20 });
    const clients = [bulk(), bulk(), bulk()];
    const runs = clients.map((client) => ({
      client,
      pace: client.paced("contacts.create", { expected: 300 }),
    }));
    for (let row = 0; row < 100; row += 1) {
      for (const { client, pace } of runs) {
        await client.call("contacts.create", create, { turn: await pace.turn() });
      }
    }
    expect(refusals()).toBe(0);
    const duration = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(duration).toBeGreaterThan((299 / 200) * 60_000);
    expect(duration).toBeLessThan((299 / 195) * 60_000);
  });

  it("interactive requests are sent immediately alongside bulk runs", async () => {
    const { bulk, process, refusals, clock } = machine({ limit: 200, before: 17, latency: 20 });
    const runs = [bulk(), bulk()].map((client) => ({
      client,
      pace: client.paced("contacts.create", { expected: 400 }),
    }));
    let requestCount = 0;
    for (let row = 0; row < 150; row += 1) {
      for (const { client, pace } of runs) {
        await client.call("contacts.create", create, { turn: await pace.turn() });
      }
      if (row % 10 !== 9) continue;
      const began = clock.now();
      await process().call("contacts.create", create);
      expect(clock.now() - began).toBe(40);
      requestCount += 1;
    }
    expect(requestCount).toBe(15);
    expect(refusals()).toBe(0);
  });

  it("[T12] a wrong Date in a response does not slow down requests in later windows", async () => {
    const { bulk, process, times, refusals, clock } = machine({ limit: 200, dateOff: -7_200_000 });
    await process().call("contacts.create", create);
    clock.advance(300_000);
    const client = bulk();
    const pace = client.paced("contacts.create", { expected: 1_000 });
    for (let row = 0; row < 100; row += 1)
      await client.call("contacts.create", create, { turn: await pace.turn() });
    expect((times.at(-1) ?? 0) - (times[1] ?? 0)).toBeLessThan((100 / 190) * 60_000);
    expect(refusals()).toBe(0);
  });

  it("[T12] processes don't wait for a window that ended while the machine slept", async () => {
    const { process, clock } = machine({ limit: 3 });
    let unseen = 0;
    const awake = { ...clock, elapsed: () => clock.now() - unseen };
    for (let count = 0; count < 3; count += 1) await process({}, awake).call("contacts.create", create);
    clock.advance(3_600_000);
    unseen = 3_600_000;
    await process({}, awake).call("contacts.create", create);
  });

  it("a process that sends a few reads creates no file", async () => {
    const { process, path } = machine({ limit: 200 });
    const client = process();
    for (let count = 0; count < 10; count += 1) await client.call("ping");
    expect(() => statSync(path)).toThrow("ENOENT");
    const before = client.remaining("ping");
    await client.call("ping");
    expect(statSync(path).size).toBeGreaterThan(0);
    expect(client.remaining("ping")).toBe(before - 1);
    const secondClient = process();
    await secondClient.call("contacts.create", create);
    expect(secondClient.remaining("ping")).toBe(before - 1);
  });

  it("processes count separately if the shared file can't be used", async () => {
    const { process, path, refusals } = machine({ limit: 2 });
    mkdirSync(path, { recursive: true });
    const client = process();
    for (let count = 0; count < 2; count += 1) await client.call("contacts.create", create);
    expect(await catchError(client.call("contacts.create", create))).toMatchObject({ type: "rate_limit" });
    expect(refusals()).toBe(0);
  });
});
