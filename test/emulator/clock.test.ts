import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/base/clock.js";
import { temporaryFolder } from "../helpers/cli.js";
import { createContact } from "../helpers/records.js";
import { startTime } from "../helpers/templates.js";
import { openTestEmulator, type TestEmulator, testOnTransports } from "../helpers/test-emulator.js";

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

testOnTransports("the emulator's clock", (open) => {
  it("[emulator.clock] a virtual clock moves only on request", async () => {
    const systemClock = wallClock();
    await using emulator = await open({ clock: "virtual", systemClock });
    systemClock.time += 86_400_000;
    const now = async () => (await emulator.ask("GET", "/ping")).body.data.now;
    expect(await now()).toBe(startTime);
    await emulator.control("PATCH", "/clock", { advance_seconds: 0.25 });
    expect(await now()).toBe("2026-03-02T09:00:00.250Z");
    const set = await emulator
      .control("PATCH", "/clock", { set: "2026-03-02T10:00:00+01:00" })
      .catch((error) => error);
    expect(set.status).toBe(400);
    expect(await emulator.control("PATCH", "/clock", { set: "2026-03-02T11:00:00+01:00" })).toEqual({
      mode: "virtual",
      now: "2026-03-02T10:00:00.000Z",
    });
    expect(await now()).toBe("2026-03-02T10:00:00.000Z");
  });

  it("[emulator.clock] a real clock is the wall clock plus an offset", async () => {
    const systemClock = wallClock("2030-05-05T00:00:00Z");
    await using emulator = await open({ clock: "real", systemClock });
    const now = async () => (await emulator.ask("GET", "/ping")).body.data.now;
    expect(await now()).toBe(startTime);
    systemClock.time += 1500;
    expect(await now()).toBe("2026-03-02T09:00:01.500Z");
    await emulator.advance(3600);
    systemClock.time += 500;
    expect(await now()).toBe("2026-03-02T10:00:02.000Z");
  });

  it("[emulator.clock] time never goes back, even if the wall clock does", async () => {
    const systemClock = wallClock();
    await using emulator = await open({ clock: "real", systemClock });
    await emulator.advance(10);
    const now = async () => (await emulator.ask("GET", "/ping")).body.data.now;
    const before = await now();
    systemClock.time -= 60_000;
    expect(await now()).toBe(before);
    for (const change of [{ set: "2026-03-02T08:00:00Z" }, { advance_seconds: -1 }]) {
      await expect(emulator.control("PATCH", "/clock", change)).rejects.toMatchObject({ status: 400 });
    }
    expect(await now()).toBe(before);
  });

  it("[emulator.clock] the clock stops at the largest time that an ID can contain", async () => {
    await using emulator = await open();
    for (const change of [
      { advance_seconds: 1e300 },
      { advance_seconds: 1e12 },
      { set: "9999-12-31T23:59:59Z" },
      { set: "2100-01-01T00:00:00.001Z" },
      { mode: "real", set: "2100-01-01T00:00:00Z", advance_seconds: -1 },
    ]) {
      await expect(emulator.control("PATCH", "/clock", change)).rejects.toMatchObject({ status: 400 });
    }
    expect(await emulator.control("GET", "/clock")).toEqual({ mode: "virtual", now: startTime });
    await emulator.control("PATCH", "/clock", { set: "2100-01-01T00:00:00Z" });
    // The clock can't pass its latest time, so every wait ends at that time.
    await emulator.instance.clock.sleep(1e15);
    await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 86_400_000, times: 1 });
    expect((await emulator.ask("GET", "/ping")).body.data.now).toBe("2100-01-01T00:00:00.000Z");
    const group = await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "Last" } });
    expect(group.body.data.id).toMatch(/^[0-9a-f]{24}$/);
    expect(group.body.data.created_at).toBe("2100-01-01T00:00:00.000Z");
  });

  it("[emulator.clock] the clock's mode can be changed", async () => {
    const systemClock = wallClock();
    await using emulator = await open({ clock: "real", systemClock });
    systemClock.time += 5000;
    expect(await emulator.control("PATCH", "/clock", { mode: "virtual" })).toEqual({
      mode: "virtual",
      now: "2026-03-02T09:00:05.000Z",
    });
    systemClock.time += 5000;
    const wrong = { mode: "real", advance_seconds: 7, set: "2026-01-01T00:00:00Z" };
    await expect(emulator.control("PATCH", "/clock", wrong)).rejects.toMatchObject({ status: 400 });
    expect(await emulator.control("GET", "/clock")).toEqual({
      mode: "virtual",
      now: "2026-03-02T09:00:05.000Z",
    });
    await emulator.control("PATCH", "/clock", { mode: "real" });
    systemClock.time += 1000;
    expect(await emulator.control("GET", "/clock")).toEqual({
      mode: "real",
      now: "2026-03-02T09:00:06.000Z",
    });
  });

  it("[emulator.clock] many small steps have the same result as one large step", async () => {
    const dump = async (steps: readonly number[]) => {
      await using emulator = await open({ limits: { write: 2 } });
      await createContact(emulator);
      await createContact(emulator);
      for (const step of steps) await emulator.advance(step);
      const made = await createContact(emulator);
      return [
        made,
        (await emulator.ask("GET", "/contacts")).body.data,
        await emulator.control("GET", "/clock"),
      ];
    };
    const large = await dump([90]);
    expect(await dump(Array.from({ length: 180 }, () => 0.5))).toEqual(large);
    expect(await dump([59.999, 0.001, 30])).toEqual(large);
  });

  it("[emulator.clock] the Date header of every response is the emulator's time", async () => {
    await using emulator = await open();
    await emulator.advance(3600);
    for (const path of ["/api/v1/ping", "/nowhere"]) {
      const reply = await emulator.askHost("GET", path);
      expect(reply.headers.get("date")).toBe("Mon, 02 Mar 2026 10:00:00 GMT");
    }
  });
});

it("[emulator.clock] clock.sleep() advances the time of a virtual and of a real clock", async () => {
  for (const clock of ["virtual", "real"] as const) {
    const systemClock = wallClock();
    await using emulator = await openTestEmulator("in process", { clock, systemClock, limits: { read: 1 } });
    await emulator.ask("GET", "/ping");
    const refused = await emulator.ask("GET", "/ping");
    await emulator.instance.clock.sleep(Number(refused.headers.get("retry-after")) * 1000);
    expect((await emulator.ask("GET", "/ping")).status).toBe(200);
    expect(emulator.instance.clock.now()).toBe(Date.parse(startTime) + 60_000);
    expect([systemClock.time, systemClock.slept]).toEqual([Date.parse(startTime), 0]);
  }
});

/** Options of emulators that share a file and a real clock. */
function sharedOptions() {
  return { db: join(temporaryFolder(), "world.db"), clock: "real", systemClock: wallClock() } as const;
}

it("[emulator.clock] waits of two emulators with one file add up", async () => {
  const options = sharedOptions();
  await using first = await openTestEmulator("in process", options);
  await using second = await openTestEmulator("in process", options);
  await first.instance.clock.sleep(300);
  await second.instance.clock.sleep(5_000);
  expect((await second.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:05.000Z");
  expect((await first.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:05.300Z");
  expect((await second.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:05.300Z");
});

it("[emulator.clock] a wait without a later request is stored when the emulator is closed", async () => {
  const options = sharedOptions();
  {
    await using emulator = await openTestEmulator("in process", options);
    await emulator.instance.clock.sleep(5_000);
  }
  await using emulator = await openTestEmulator("in process", options);
  expect((await emulator.ask("GET", "/ping")).body.data.now).toBe("2026-03-02T09:00:05.000Z");
});

it("[emulator.clock] an aborted sleep does not advance the clock", async () => {
  await using emulator = await openTestEmulator("in process");
  const reason = new Error("enough");
  await expect(emulator.instance.clock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(emulator.instance.clock.now()).toBe(Date.parse(startTime));
});

it("[emulator.faults] over HTTP, a delay takes real time only if the emulator's clock is real", async () => {
  for (const clock of ["virtual", "real"] as const) {
    const systemClock = wallClock();
    await using emulator = await openTestEmulator("over HTTP", { clock, systemClock });
    await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 45_000, times: 1 });
    await emulator.ask("GET", "/ping");
    expect(systemClock.slept).toBe(clock === "real" ? 45_000 : 0);
    expect(emulator.instance.clock.now()).toBe(Date.parse(startTime) + 45_000);
  }
});

describe.each([
  ["a server", true],
  ["commands", false],
])("the clock of a database used by %s", (_name, exclusive) => {
  it("[emulator.clock] after the wall clock was set back, the clock resumes at its last time", async () => {
    const db = join(temporaryFolder(), "world.db");
    const systemClock = wallClock();
    const open = () => openTestEmulator("in process", { db, exclusive, clock: "real", systemClock });
    const now = async (emulator: TestEmulator) =>
      Date.parse((await emulator.ask("GET", "/ping")).body.data.now);
    const first = await open();
    await first.advance(10);
    systemClock.time += 5_000;
    const reportedTime = await now(first);
    const contact = await createContact(first);
    await first.close();

    systemClock.time -= 3_600_000;
    const second = await open();
    expect(await now(second)).toBe(reportedTime);
    // The emulator's clock advances with the wall clock again, although the wall clock shows an earlier time.
    systemClock.time += 7_000;
    expect(await now(second)).toBe(reportedTime + 7_000);
    expect((await createContact(second)).created_at > contact.created_at).toBe(true);
    await second.close();

    systemClock.time += 1_000;
    await using third = await open();
    expect(await now(third)).toBe(reportedTime + 8_000);
    // The clock continues from the snapshot's time.
    await third.instance.snapshot("early");
    systemClock.time += 60_000;
    expect(await now(third)).toBe(reportedTime + 68_000);
    await third.instance.restore("early");
    expect(await now(third)).toBe(reportedTime + 8_000);
    systemClock.time += 1_000;
    expect(await now(third)).toBe(reportedTime + 9_000);
  });
});
