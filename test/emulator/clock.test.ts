import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/base/clock.js";
import { temporaryFolder } from "../helpers/cli.js";
import { createContact } from "../helpers/records.js";
import { startTime } from "../helpers/templates.js";
import { onTransports, openWorld, type TestWorld } from "../helpers/world.js";

/** A wall clock that a test moves by hand. */
function wallClock(start = startTime): Clock & { time: number; slept: number } {
  return {
    time: Date.parse(start),
    slept: 0,
    now() {
      return this.time;
    },
    async sleep(milliseconds) {
      this.slept += milliseconds;
      this.time += milliseconds;
    },
  };
}

onTransports("the world's clock", (open) => {
  it("[emulator.clock] a virtual clock stands still until it is told to move", async () => {
    const systemClock = wallClock();
    await using world = await open({ clock: "virtual", systemClock });
    systemClock.time += 86_400_000;
    const now = async () => (await world.ask("GET", "/ping")).body.data.now;
    expect(await now()).toBe(startTime);
    await world.control("PATCH", "/clock", { advance_seconds: 0.25 });
    expect(await now()).toBe("2026-03-02T09:00:00.250Z");
    const set = await world
      .control("PATCH", "/clock", { set: "2026-03-02T10:00:00+01:00" })
      .catch((error) => error);
    expect(set.status).toBe(400);
    expect(await world.control("PATCH", "/clock", { set: "2026-03-02T11:00:00+01:00" })).toEqual({
      mode: "virtual",
      now: "2026-03-02T10:00:00.000Z",
    });
    expect(await now()).toBe("2026-03-02T10:00:00.000Z");
  });

  it("[emulator.clock] a real clock is the wall's plus an offset", async () => {
    const systemClock = wallClock("2030-05-05T00:00:00Z");
    await using world = await open({ clock: "real", systemClock });
    const now = async () => (await world.ask("GET", "/ping")).body.data.now;
    expect(await now()).toBe(startTime);
    systemClock.time += 1500;
    expect(await now()).toBe("2026-03-02T09:00:01.500Z");
    await world.advance(3600);
    systemClock.time += 500;
    expect(await now()).toBe("2026-03-02T10:00:02.000Z");
  });

  it("[emulator.clock] time never goes back, even if the wall clock does", async () => {
    const systemClock = wallClock();
    await using world = await open({ clock: "real", systemClock });
    await world.advance(10);
    const now = async () => (await world.ask("GET", "/ping")).body.data.now;
    const before = await now();
    systemClock.time -= 60_000;
    expect(await now()).toBe(before);
    for (const change of [{ set: "2026-03-02T08:00:00Z" }, { advance_seconds: -1 }]) {
      await expect(world.control("PATCH", "/clock", change)).rejects.toMatchObject({ status: 400 });
    }
    expect(await now()).toBe(before);
  });

  it("[emulator.clock] the clock has an end, which is as far as ids go, and nothing leads beyond it", async () => {
    await using world = await open();
    for (const change of [
      { advance_seconds: 1e300 },
      { advance_seconds: 1e12 },
      { set: "9999-12-31T23:59:59Z" },
      { set: "2100-01-01T00:00:00.001Z" },
      { mode: "real", set: "2100-01-01T00:00:00Z", advance_seconds: -1 },
    ]) {
      await expect(world.control("PATCH", "/clock", change)).rejects.toMatchObject({ status: 400 });
    }
    expect(await world.control("GET", "/clock")).toEqual({ mode: "virtual", now: startTime });
    await world.control("PATCH", "/clock", { set: "2100-01-01T00:00:00Z" });
    // A wait, in process or by a fault, stops there.
    await world.emulator.clock.sleep(1e15);
    await world.control("POST", "/faults", { kind: "delay", delay_ms: 86_400_000, times: 1 });
    expect((await world.ask("GET", "/ping")).body.data.now).toBe("2100-01-01T00:00:00.000Z");
    const group = await world.ask("POST", "/groups", { body: { type: "contacts", name: "Last" } });
    expect(group.body.data.id).toMatch(/^[0-9a-f]{24}$/);
    expect(group.body.data.created_at).toBe("2100-01-01T00:00:00.000Z");
  });

  it("[emulator.clock] the mode can change; the time stays as it is, and a refused change changes nothing", async () => {
    const systemClock = wallClock();
    await using world = await open({ clock: "real", systemClock });
    systemClock.time += 5000;
    expect(await world.control("PATCH", "/clock", { mode: "virtual" })).toEqual({
      mode: "virtual",
      now: "2026-03-02T09:00:05.000Z",
    });
    systemClock.time += 5000;
    const wrong = { mode: "real", advance_seconds: 7, set: "2026-01-01T00:00:00Z" };
    await expect(world.control("PATCH", "/clock", wrong)).rejects.toMatchObject({ status: 400 });
    expect(await world.control("GET", "/clock")).toEqual({
      mode: "virtual",
      now: "2026-03-02T09:00:05.000Z",
    });
    await world.control("PATCH", "/clock", { mode: "real" });
    systemClock.time += 1000;
    expect(await world.control("GET", "/clock")).toEqual({ mode: "real", now: "2026-03-02T09:00:06.000Z" });
  });

  it("[emulator.clock] many small advances and one large one end in the same world", async () => {
    const dump = async (steps: readonly number[]) => {
      await using world = await open({ limits: { write: 2 } });
      await createContact(world);
      await createContact(world);
      for (const step of steps) await world.advance(step);
      const made = await createContact(world);
      return [made, (await world.ask("GET", "/contacts")).body.data, await world.control("GET", "/clock")];
    };
    const large = await dump([90]);
    expect(await dump(Array.from({ length: 180 }, () => 0.5))).toEqual(large);
    expect(await dump([59.999, 0.001, 30])).toEqual(large);
  });

  it("[emulator.clock] every answer's Date is the world's", async () => {
    await using world = await open();
    await world.advance(3600);
    for (const path of ["/api/v1/ping", "/nowhere"]) {
      const reply = await world.askHost("GET", path);
      expect(reply.headers.get("date")).toBe("Mon, 02 Mar 2026 10:00:00 GMT");
    }
  });
});

it("[emulator.clock] in process a sleep moves the world's time instead of waiting, in both modes", async () => {
  for (const clock of ["virtual", "real"] as const) {
    const systemClock = wallClock();
    await using world = await openWorld("in process", { clock, systemClock, limits: { read: 1 } });
    await world.ask("GET", "/ping");
    const refused = await world.ask("GET", "/ping");
    await world.emulator.clock.sleep(Number(refused.headers.get("retry-after")) * 1000);
    expect((await world.ask("GET", "/ping")).status).toBe(200);
    expect(world.emulator.clock.now()).toBe(Date.parse(startTime) + 60_000);
    expect([systemClock.time, systemClock.slept]).toEqual([Date.parse(startTime), 0]);
  }
});

it("[emulator.clock] an aborted sleep moves nothing", async () => {
  await using world = await openWorld("in process");
  const reason = new Error("enough");
  await expect(world.emulator.clock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(world.emulator.clock.now()).toBe(Date.parse(startTime));
});

it("[emulator.faults] over HTTP a delay on a real clock is waited for; on a virtual one it moves it", async () => {
  for (const clock of ["virtual", "real"] as const) {
    const systemClock = wallClock();
    await using world = await openWorld("over HTTP", { clock, systemClock });
    await world.control("POST", "/faults", { kind: "delay", delay_ms: 45_000, times: 1 });
    await world.ask("GET", "/ping");
    expect(systemClock.slept).toBe(clock === "real" ? 45_000 : 0);
    expect(world.emulator.clock.now()).toBe(Date.parse(startTime) + 45_000);
  }
});

describe.each([
  ["a server", true],
  ["commands", false],
])("the clock of a file that %s use", (_name, exclusive) => {
  it("[emulator.clock] world time goes on from where it was when the wall clock was set back between two runs", async () => {
    const db = join(temporaryFolder(), "world.db");
    const systemClock = wallClock();
    const open = () => openWorld("in process", { db, exclusive, clock: "real", systemClock });
    const now = async (world: TestWorld) => Date.parse((await world.ask("GET", "/ping")).body.data.now);
    const first = await open();
    await first.advance(10);
    systemClock.time += 5_000;
    const told = await now(first);
    const contact = await createContact(first);
    await first.close();

    systemClock.time -= 3_600_000;
    const second = await open();
    expect(await now(second)).toBe(told);
    // From there it goes on with the wall clock, and does not wait for it to catch up.
    systemClock.time += 7_000;
    expect(await now(second)).toBe(told + 7_000);
    expect((await createContact(second)).created_at > contact.created_at).toBe(true);
    await second.close();

    systemClock.time += 1_000;
    await using third = await open();
    expect(await now(third)).toBe(told + 8_000);
    // A restored snapshot brings its own time back, and that one goes on as well.
    await third.emulator.snapshot("early");
    systemClock.time += 60_000;
    expect(await now(third)).toBe(told + 68_000);
    await third.emulator.restore("early");
    expect(await now(third)).toBe(told + 8_000);
    systemClock.time += 1_000;
    expect(await now(third)).toBe(told + 9_000);
  });
});
