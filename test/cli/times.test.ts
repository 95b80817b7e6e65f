import { describe, expect, test } from "vitest";
import { readEnd, readTime } from "../../src/cli/session/times.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const now = Date.parse("2026-11-21T12:00:00Z");

describe("a time that a user types", () => {
  test.each([
    ["2026-11-01", "2026-11-01T00:00:00Z"],
    ["2026-11-01T09:30", "2026-11-01T09:30:00Z"],
    ["2026-11-01 09:30:15", "2026-11-01T09:30:15Z"],
    ["2026-11-01T09:30:00+01:00", "2026-11-01T09:30:00+01:00"],
    ["today", "2026-11-21T00:00:00Z"],
    ["Yesterday", "2026-11-20T00:00:00Z"],
    ["7d", "2026-11-14T12:00:00Z"],
    ["2w", "2026-11-07T12:00:00Z"],
    ["12h", "2026-11-21T00:00:00Z"],
    ["30m", "2026-11-21T11:30:00Z"],
  ])("the time %s means %s", async (typed, time) => {
    expect(await readTime(typed, "--from", () => now)).toBe(time);
  });

  test.each([
    ["2026-11-30", "2026-12-01T00:00:00Z"],
    ["2026-02-28", "2026-03-01T00:00:00Z"],
    ["today", "2026-11-22T00:00:00Z"],
    ["2026-11-30T09:30", "2026-11-30T09:30:00Z"],
    ["2d", "2026-11-19T12:00:00Z"],
  ])("at the end of a period, %s means %s", async (typed, time) => {
    expect(await readEnd(typed, "--to", () => now)).toBe(time);
  });

  test.each([
    ["2026-11-31", "2026-11 has 30 days"],
    ["2026-02-29", "2026-02 has 28 days"],
    ["2026-02-29T10:00", "2026-02 has 28 days"],
    ["2026-13-01", "month 13 does not exist"],
  ])("a date that does not exist is refused: %s", async (typed, why) => {
    await expect(readTime(typed, "--from", () => now)).rejects.toThrow(`invalid --from "${typed}": ${why}`);
    const refused = await commandLine().run("usage", "--profile", "offline", "--from", typed);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  test.each(["tomorrow", "2026-13-40", "7", "7y", ""])("%j is an invalid time", async (typed) => {
    await expect(readTime(typed, "--from", () => now)).rejects.toThrow("--from");
  });
});

describe("an invalid period", () => {
  test.each([
    [["usage", "--from", "2026-11"], 'invalid --from "2026-11"'],
    [["usage", "--from", "7d", "--to", "morgen"], 'invalid --to "morgen"'],
    [["billing", "--month", "2026-13"], 'invalid --month "2026-13": expected a month such as 2026-10'],
    [["billing", "--month", "November"], 'invalid --month "November": expected a month such as 2026-10'],
    [["billing", "--v1", "altstadt-edv", "--month", "2026-00"], 'invalid --month "2026-00"'],
  ])("an invalid period is refused before any request with the expected form: %j", async (argv, message) => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({ overrides: connectedTo(emulator) });
    const refused = await shell.run(...argv, "--profile", "offline");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(await emulator.control("GET", "/requests")).toEqual([]);
  });
});

describe("a relative date for `usage`", () => {
  test.each([
    ["usage", "--from", "30d"],
    ["usage", "--from", "2w", "--to", "today"],
    ["usage", "--v1", "--from", "30d", "--to", "today"],
  ])("relative dates in `%s %s %s` use the emulator's clock", async (...argv) => {
    const emulator = await openSeededEmulator({
      seed: "demo",
      clock: "virtual",
      startTime: "2026-03-02T09:00:00Z",
    });
    const shell = commandLine({ overrides: connectedTo(emulator) });
    const { code, json } = await shell.run(...argv, "--profile", "offline");
    expect(code).toBe(0);
    expect(json.length).toBeGreaterThan(5);
    const days: string[] = json.map(({ date }: { date: string }) => date).sort();
    expect((days[0] ?? "") >= "2026-01-31").toBe(true);
    expect(days.at(-1)?.slice(0, 8)).toBe("2026-03-");
  });
});

describe("calls list", () => {
  async function practice() {
    const emulator = await openSeededEmulator({
      seed: "demo",
      clock: "virtual",
      startTime: "2026-03-02T09:00:00Z",
    });
    const shell = commandLine({ overrides: connectedTo(emulator) });
    return (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  }

  test("`calls list` accepts days and relative times", async () => {
    const run = await practice();
    const listed = await run("calls", "list", "--from", "2d", "--to", "2026-03-02", "--all");
    expect(listed.code).toBe(0);
    expect(listed.stderr).toContain("Using --from 2026-02-28T09:00:00Z (UTC) for 2d.\n");
    expect(listed.stderr).toContain("Using --to 2026-03-03T00:00:00Z (UTC) for 2026-03-02.\n");
    const times = listed.json.map((call: { created_at: string }) => call.created_at);
    expect(times.length).toBeGreaterThan(0);
    expect(times.every((time: string) => time >= "2026-02-28T09" && time < "2026-03-03")).toBe(true);
    const reported = await run("calls", "list", "--from", "2d ago", "--to", "2026-03-02", "--all");
    expect(reported.json).toEqual(listed.json);
    const before = await run("calls", "list", "--from", "2d", "--to", "2026-03-01", "--all");
    expect(before.json.length).toBeLessThan(times.length);
  });

  test("`calls list` refuses an invalid time before any request", async () => {
    const run = await practice();
    const refused = await run("calls", "list", "--from", "soon");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('error: invalid --from "soon"');
    expect(refused.stderr).toContain("7d");
  });
});
