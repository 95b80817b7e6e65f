import { describe, expect, onTestFinished, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

async function setUp(startTime = "2026-11-15T09:00:00Z") {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual", startTime });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const make = async (...argv: string[]) => (await shell.run(...argv, "-o", "json")).json;
  const hours = { monday: [{ from: "08:00", to: "12:00" }] };
  const schedules = JSON.stringify([{ kind: "opening", weekly: hours, overrides: [] }]);
  const calendar = await make("calendars", "create", "--name", "Praxis", "--set", `schedules=${schedules}`);
  const [voice] = await make("voices", "list");
  const assistant = await make(
    ...["assistants", "create", "--name", "Empfang", "--language", "de", "--company-name", "Praxis"],
    ...["--company-industry", "Zahnmedizin", "--introduction", "Hallo", "--voice", voice.id],
    ...["--calendar", calendar.id],
  );
  const call = (created_at: string, more: object = {}) =>
    emulator.control("POST", "/calls", { assistant_id: assistant.id, created_at, ...more });
  return { ...shell, emulator, assistant, call };
}

test("`report calls` marks the current month as unfinished even if the clock advances", async () => {
  const { emulator } = await setUp();
  let passed = 0;
  const connect: typeof connectedTo = (to) => ({
    connect: async (profile, options) => {
      const connection = connectEmulator(to, profile, options);
      const { clock } = connection;
      const now = () => {
        passed += 1;
        return clock.now() + passed;
      };
      return { ...connection, clock: { ...clock, now }, close: async () => {} };
    },
  });
  const { run } = commandLine({ overrides: connect(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const { json } = await run("report", "calls", "-o", "json");
  expect(json.so_far).toBe(true);
});

test("every report format marks totals of the current month as incomplete", async () => {
  const { run } = await setUp();
  const isSoFar = async (...argv: string[]) => {
    const { stderr, stdout, code } = await run(...argv);
    expect(code, stderr).toBe(0);
    return /has not ended/.test(stderr + stdout);
  };
  for (const [running, over] of [
    [["billing"], ["billing", "--month", "2026-10"]],
    [
      ["billing", "-o", "csv"],
      ["billing", "--month", "2026-10", "-o", "csv"],
    ],
    [
      ["usage", "--from", "2026-11-01"],
      ["usage", "--from", "2026-10-01", "--to", "2026-10-31"],
    ],
    [
      ["usage", "--v1", "--from", "2026-11-01", "--to", "today"],
      ["usage", "--v1", "--from", "2026-10-01", "--to", "2026-10-31"],
    ],
    [
      ["report", "billing", "-o", "md"],
      ["report", "billing", "-o", "md", "--month", "2026-10"],
    ],
    [
      ["report", "calls", "-o", "md"],
      ["report", "calls", "-o", "md", "--month", "2026-10"],
    ],
    [
      ["report", "usage", "-o", "html"],
      ["report", "usage", "-o", "html", "--month", "2026-10"],
    ],
  ] as const)
    expect([await isSoFar(...running), await isSoFar(...over)], running.join(" ")).toEqual([true, false]);
  expect((await run("report", "usage", "-o", "json")).json.so_far).toBe(true);
  for (const command of [["billing"], ["report", "billing", "-o", "md"], ["report", "calls", "-o", "md"]]) {
    const { code, stdout, stderr } = await run(...command, "--month", "2027-01");
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("2027-01 has not started")]);
    expect(stdout + stderr).not.toContain("has not ended");
  }
});

test.each([
  ["usage"],
  ["usage", "--from", "30d"],
  // On the machine's clock, this period is too long.
  ["usage", "--from", "2026-03-01"],
  ["usage", "--v1"],
])("`%s` uses the service's current day, even if the machine's clock is months ahead", async (...argv) => {
  const emulator = await openTestEmulator("over HTTP", { seed: "demo", startTime: "2026-03-18T09:00:00Z" });
  onTestFinished(() => emulator.close());
  const { keys, url } = emulator;
  const { run } = commandLine({
    env: {
      ...{ VOXCTL_DISTRIBUTOR_URL: `${url}/api/distributor/v2`, VOXCTL_DISTRIBUTOR_KEY: keys.distributor_v2 },
      VOXCTL_DISTRIBUTOR_V1_URL: `${url}/api/distributor/v1`,
      VOXCTL_DISTRIBUTOR_V1_KEY: keys.distributor_v1,
    },
    overrides: { clock: { now: () => Date.parse("2026-11-29T08:00:00Z"), sleep: async () => {} } },
  });
  const { code, json, stderr } = await run(...argv, "-o", "json");
  expect(code, stderr).toBe(0);
  const days = json.map(({ date }: { date: string }) => date);
  expect(days.length).toBeGreaterThan(0);
  expect(days.filter((day: string) => day > "2026-03-18")).toEqual([]);
  expect(stderr).toContain("2026-03-18 has not ended");
});

test("totals of `usage` include numbers that the service sends as text", async () => {
  const emulator = await openSeededEmulator({ seed: "demo", startTime: midMonth });
  onTestFinished(() => emulator.close());
  const { runWith } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
  const totalWith = async (change: (calls: unknown) => unknown) => {
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (path.includes("/usage")) for (const row of body.data) row.calls = change(row.calls);
      return { body };
    });
    const { stdout } = await runWith({ overrides }, "usage", "--from", "2026-03-01", "-o", "table");
    return stdout.trim().split("\n").at(-1);
  };
  const total = await totalWith((calls) => calls);
  expect(total).toMatch(/^TOTAL +\d+ +\d+ +\d+$/);
  expect(await totalWith(String)).toBe(total);
  expect(await totalWith(() => "many")).toMatch(/^TOTAL +– +\d+ +\d+$/);
});

test("`usage` reports that today's numbers can still change, even without calls", async () => {
  const { run } = await setUp();
  const { stderr } = await run("usage", "--from", "today", "-o", "table");
  expect(stderr).toContain("no calls\n2026-11-15 has not ended (UTC), so its numbers can still change\n");
});

test("`usage` reports a period in the future as not started", async () => {
  const { run } = await setUp();
  const { stderr } = await run("usage", "--to", "2027-01-31", "-o", "table");
  expect(stderr).toContain("2027-01-01 has not started (UTC): it has no calls yet\n");
  expect(stderr).not.toContain("has not ended");
});

describe("voxctl report calls", () => {
  test("[public.operations.16b] `report calls` compares billed minutes with the previous month", async () => {
    const { call, run } = await setUp();
    await call("2026-11-02T09:00:00Z", { duration_seconds: 10 });
    await call("2026-11-02T10:00:00Z", { duration_seconds: 90 });
    await call("2026-11-03T10:00:00Z", { status: "no_answer" });
    await call("2026-10-05T10:00:00Z", { duration_seconds: 30 });
    const { code, json } = await run("report", "calls", "--month", "2026-11", "-o", "json");
    expect(code).toBe(0);
    expect(json).toMatchObject({
      month: "2026-11",
      timezone: "Europe/Berlin",
      total: {
        calls: 3,
        answered: 2,
        answered_share: 0.667,
        median_seconds: 10,
        p95_seconds: 90,
        duration_seconds: 100,
        billable_seconds: 150,
      },
      previous: { month: "2026-10", calls: 1, billable_seconds: 60 },
      lines: [{ name: "Empfang", calls: 3 }],
    });
  });

  test("`report calls` classifies missed calls by the calendar's opening hours and time zone", async () => {
    const { call, run } = await setUp();
    const missed = { status: "no_answer", direction: "inbound" };
    // Missed calls: Monday 08:30 and 12:30 in Berlin, and Sunday 08:30. The outbound call doesn't count.
    await call("2026-11-02T07:30:00Z", missed);
    await call("2026-11-02T11:30:00Z", missed);
    await call("2026-11-01T07:30:00Z", missed);
    await call("2026-11-02T07:45:00Z", { status: "no_answer", direction: "outbound" });
    const { json } = await run("report", "calls", "--month", "2026-11", "--by", "hour", "-o", "json");
    expect(json.missed).toEqual({ while_open: 1, while_closed: 2, without_hours: 0 });
    expect(json.lines).toHaveLength(24);
    expect(json.hours[8]).toEqual({ hour: 8, calls: 3, missed: 2 });
  });

  test("`report calls` assigns a call to a month by the calendar's time zone", async () => {
    const { call, run } = await setUp();
    // Half past midnight on 1 November in Berlin.
    await call("2026-10-31T23:30:00Z");
    const at = async (...flags: string[]) =>
      (await run("report", "calls", "--month", "2026-11", ...flags, "-o", "json")).json.total.calls;
    expect(await at()).toBe(1);
    expect(await at("--timezone", "UTC")).toBe(0);
  });

  test.each([
    ["2026-11-30T23:30:00Z", "Europe/Berlin", "2026-12"],
    ["2026-12-01T00:30:00Z", "America/New_York", "2026-11"],
  ])("at %s in %s, `report calls` shows %s by default", async (now, zone, month) => {
    const { call, run } = await setUp(now);
    await call(new Date(Date.parse(now) - 60_000).toISOString());
    const { json } = await run("report", "calls", "--timezone", zone, "-o", "json");
    expect([json.month, json.total.calls, json.so_far]).toEqual([month, 1, true]);
  });

  test("`report calls --by day` prints each day once even if the clocks change in that month", async () => {
    const { call, run } = await setUp();
    await call("2026-10-25T00:30:00Z");
    await call("2026-10-25T22:30:00Z", { status: "busy" });
    const days = (await run("report", "calls", "--month", "2026-10", "--by", "day", "-o", "json")).json.lines;
    expect(days).toHaveLength(31);
    expect(days[24]).toMatchObject({ key: "2026-10-25", calls: 2 });
    const outcomes = (await run("report", "calls", "--month", "2026-10", "--by", "outcome", "-o", "json"))
      .json;
    expect(outcomes.lines.map(({ key }: { key: string }) => key).sort()).toEqual(["busy", "completed"]);
  });

  test("`report calls -o html` prints a self-contained page without scripts", async () => {
    const { call, run, assistant } = await setUp();
    await run("assistants", "update", assistant.id, "--name", "<script>alert(1)</script>");
    await call("2026-11-02T09:00:00Z");
    const { stdout } = await run("report", "calls", "--month", "2026-11", "-o", "html");
    expect(stdout).toContain("default-src 'none'");
    expect(stdout).not.toMatch(/<script|<link|src=|url\(|@import/);
    expect(stdout).toContain("&#60;script&#62;");
    expect(stdout).toContain("<svg");
    const markdown = await run("report", "calls", "--month", "2026-11", "-o", "md");
    expect(markdown.stdout).toContain("\\<script\\>");
  });

  test("each bar of a chart shows its total and the number of missed calls", async () => {
    const { call, run } = await setUp();
    await call("2026-11-02T09:00:00Z");
    await call("2026-11-02T09:30:00Z", { status: "no_answer" });
    const calls = await run("report", "calls", "--month", "2026-11", "-o", "html");
    expect(calls.stdout).toMatch(/<h2>Calls by hour<.*<dt>10:00<\/dt><dd><svg.*?<\/svg> 2, <[^>]*>1 missed</);
  });

  test("`report calls -o csv` prints a header with the names of the fields", async () => {
    const { call, run } = await setUp();
    await call("2026-11-02T09:00:00Z");
    const csv = await run("report", "calls", "--month", "2026-11", "-o", "csv");
    expect(csv.stdout.split("\n")[0]).toContain("name,calls,answered,answered_share");
  });

  test("`report calls -o xlsx` writes a spreadsheet to a pipe, and is refused on a terminal", async () => {
    const { call, run, runWith } = await setUp();
    await call("2026-11-02T09:00:00Z");
    expect((await run("report", "calls", "-o", "xlsx")).stdout.slice(0, 2)).toBe("PK");
    const refused = await runWith({ terminal: 80 }, "report", "calls", "-o", "xlsx");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("> report.xlsx") });
  });

  test("[T11] `report calls` counts answered calls even if the status has a different name", async () => {
    const { call, run, runWith, emulator } = await setUp();
    await call("2026-11-02T09:00:00Z");
    const report = ["report", "calls", "--month", "2026-11", "-o", "json"];
    expect((await run(...report)).json.total.answered).toBe(1);
    const named = (status: string) =>
      reshapeResponses(emulator, ({ path }, { body }) => {
        if (!path.includes("/calls")) return undefined;
        for (const row of body.data) Object.assign(row, { status, ended_at: null });
        return { body };
      });
    const total = async (status: string) =>
      (await runWith({ overrides: named(status) }, ...report)).json.total;
    expect(await total("Finished")).toMatchObject({ answered: 1, open: 0 });
    expect(await total("parked")).toMatchObject({ answered: 0, open: 1, answered_share: null });
  });

  test("`report calls` ignores time zones of calendars that Node.js doesn't know", async () => {
    const { emulator, runWith } = await setUp();
    const zoned = (...zones: string[]) =>
      reshapeResponses(emulator, ({ path }, { body }) => {
        if (!path.includes("/calendars")) return undefined;
        return {
          body: { ...body, data: zones.map((timezone, id) => ({ ...body.data[0], timezone, id: `${id}` })) },
        };
      });
    const zoneOf = async (...zones: string[]) => {
      const { json, stderr } = await runWith({ overrides: zoned(...zones) }, "report", "calls", "-o", "json");
      return json?.timezone ?? stderr;
    };
    expect(await zoneOf("Mars/Base", "Mars/Base", "Europe/Vienna")).toBe("Europe/Vienna");
    expect(await zoneOf("Mars/Base")).toBe("UTC");
  });

  test.each([
    [["--month", "2026-13"], /invalid --month "2026-13": expected a month such as 2026-10/],
    [["--timezone", "Mars"], /invalid --timezone "Mars"/],
    [["--by", "moon"], /expected one of assistant, day, hour, outcome/],
  ])("`report calls` refuses %j with exit code 2 and shows the expected form", async (flags, message) => {
    const { run } = await setUp();
    expect(await run("report", "calls", ...flags)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    });
  });
});

/** A time at which the demo has calls in this month and the previous one. */
const midMonth = "2026-03-18T09:00:00Z";

describe("voxctl report --check", () => {
  const whole = process.env["PROOF"] !== undefined;

  test("[property D-stats] for random calls and time zones, `report calls` matches the statistics", async () => {
    for (let seed = 1; seed <= (whole ? 50 : 2); seed += 1) {
      const draw = (...names: (string | number)[]) => seededDraw(seed, ...names);
      const year = 2020 + Math.floor(draw("year") * 7);
      const month = 1 + Math.floor(draw("month") * 12);
      const { call, run } = await setUp(`${year + 1}-02-15T09:00:00Z`);
      for (let count = 0; count < 12; count += 1) {
        const at = Date.UTC(year, month - 1, 1) + (draw("at", count) * 33 - 1) * 86_400_000;
        const status = draw("status", count) < 0.7 ? "completed" : "no_answer";
        await call(new Date(at).toISOString(), {
          status,
          duration_seconds: Math.floor(draw("s", count) * 200),
        });
      }
      const zone = ["UTC", "Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns"][
        Math.floor(draw("zone") * 4)
      ];
      const argv = ["--month", `${year}-${String(month).padStart(2, "0")}`, "--timezone", zone ?? "UTC"];
      const { code, stderr } = await run("report", "calls", ...argv, "--check");
      expect([seed, code], stderr).toEqual([seed, 0]);
    }
  });

  test("`report --check` exits with code 10 if the statistics differ", async () => {
    const { call, runWith, emulator } = await setUp();
    await call("2026-10-31T23:30:00Z");
    await call("2026-11-02T09:00:00Z");
    const zoned = reshapeResponses(emulator, ({ path }) => {
      if (!path.includes("/statistics/usage")) return undefined;
      return {
        body: { data: { monthly: { month: "2026-11", total_calls: 2, total_duration_seconds: 120 } } },
      };
    });
    const { code, stderr } = await runWith(
      { overrides: zoned },
      ...["report", "calls", "--month", "2026-11", "--check"],
    );
    expect(code).toBe(10);
    expect(stderr).toContain("the statistics count days in Europe/Berlin instead of UTC");
  });

  test("a report prints equal totals for usage and billing in a month without calls", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", startTime: "2026-03-01T00:10:00Z" });
    onTestFinished(() => emulator.close());
    const { run } = commandLine({
      overrides: connectedTo(emulator),
      env: { VOXCTL_PROFILE: "offline" },
    });
    for (const report of ["usage", "billing"]) {
      const { json, code } = await run("report", report, "--check", "-o", "json");
      expect([report, code]).toEqual([report, 0]);
      expect(json.total).toEqual({ calls: 0, duration_seconds: 0, billable_seconds: 0 });
    }
  });

  test("a chart of the billing report names each organization in full", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", startTime: midMonth });
    onTestFinished(() => emulator.close());
    const env = { VOXCTL_PROFILE: "offline" };
    const { run } = commandLine({ overrides: connectedTo(emulator), env });
    const { stdout } = await run("report", "billing", "-o", "html");
    expect(stdout).toContain("<h2>Calls by organization</h2>");
    expect(stdout).toMatch(/<dt>Zahnarztpraxis Dr. Sommer<\/dt><dd><svg.*?<\/svg> [0-9]+</);
  });

  test("`report --check` exits with code 10 if usage and billing differ", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", startTime: midMonth });
    onTestFinished(() => emulator.close());
    const { run, runWith } = commandLine({
      overrides: connectedTo(emulator),
      env: { VOXCTL_PROFILE: "offline" },
    });
    const billing = await run("report", "billing", "--check", "-o", "json");
    expect(billing.code, billing.stderr).toBe(0);
    expect(billing.json.lines[0].name).toMatch(/[a-z]/);
    const { json, code } = await run("report", "usage", "--by", "day", "--check", "-o", "json");
    expect(code).toBe(0);
    expect(json.total).toEqual(billing.json.total);
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (!path.includes("billing-summary")) return undefined;
      for (const row of body.data.organizations) row.billableSeconds += 60;
      return { body };
    });
    expect((await runWith({ overrides }, "report", "usage", "--month", "2026-03", "--check")).code).toBe(10);
  });

  test("`report usage` prints null for a sum with an unknown value", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", startTime: midMonth });
    onTestFinished(() => emulator.close());
    const { runWith } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
    const totalWith = async (change: (row: Record<string, unknown>) => void) => {
      const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
        if (path.includes("/usage")) for (const row of body.data) change(row);
        return { body };
      });
      return (await runWith({ overrides }, "report", "usage", "--month", "2026-03", "-o", "json")).json.total;
    };
    const { calls, ...total } = await totalWith(() => {});
    const asText = await totalWith((row) => Object.assign(row, { calls: String(row["calls"]) }));
    expect(asText).toEqual({ calls, ...total });
    expect(await totalWith((row) => Object.assign(row, { calls: "many" }))).toEqual({
      calls: null,
      ...total,
    });
  });

  test("[T10] `report calls --check` prints no durations if the list of calls has none", async () => {
    const { call, emulator, runWith } = await setUp();
    await call("2026-11-02T09:00:00Z", { duration_seconds: 10 });
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (!path.includes("/calls")) return undefined;
      for (const row of body.data) for (const name of ["duration_seconds", "started_at"]) delete row[name];
      return { body };
    });
    const report = ["report", "calls", "--month", "2026-11", "--check"];
    const { json, code } = await runWith({ overrides }, ...report, "-o", "json");
    expect(json.total).toMatchObject({ answered: 1, duration_seconds: null, billable_seconds: null });
    expect(json.checks).toContainEqual(
      expect.objectContaining({ ours: null, reason: "the list of calls has no durations" }),
    );
    expect(code).toBe(0);
    const { stdout } = await runWith({ overrides }, ...report, "-o", "md");
    expect(stdout).toMatch(/\| 2026-11 \| 1 \| 1 \| 100.0% \| – \| – \| – \| – \|/);
  });

  test("`report calls` reports that the key may not read calendars", async () => {
    const { call, emulator, runWith } = await setUp();
    await call("2026-11-02T09:00:00Z", { status: "no_answer" });
    const overrides = reshapeResponses(emulator, ({ path }) =>
      path.includes("/calendars")
        ? { status: 403, body: { error: { code: "forbidden", message: "no" } } }
        : undefined,
    );
    const { stdout } = await runWith({ overrides }, "report", "calls", "--month", "2026-11", "-o", "md");
    expect(stdout).toContain("the API key has no permission to read calendars");
  });

  test('[T10] `report calls` prints "–" as the change if a median is unknown', async () => {
    const { call, run } = await setUp();
    await call("2026-10-05T10:00:00Z", { duration_seconds: 30 });
    const { stdout } = await run("report", "calls", "--month", "2026-11", "-o", "md");
    expect(stdout).toMatch(/\| change \| -100 % \| -100 % \| – \| – \| – \|/);
  });

  test.each([
    ["usage", "/usage", { ours: null }],
    ["billing", "billing-summary", { theirs: null }],
  ])(
    "[T10] `report --check` states why it can't compare sums if %s has no billable seconds",
    async (_, part, sides) => {
      const emulator = await openSeededEmulator({ seed: "demo", startTime: midMonth });
      onTestFinished(() => emulator.close());
      const { runWith } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
      const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
        if (!path.includes(part)) return undefined;
        for (const row of body.data.organizations ?? body.data) delete row.billableSeconds;
        return { body };
      });
      const argv = ["report", "usage", "--month", "2026-03", "--check", "-o", "json"];
      const { code, json } = await runWith({ overrides }, ...argv);
      expect(code).toBe(0);
      // Organizations without calls have no usage, and their bill is 0.
      const checks = json.checks.filter(
        ({ ours, theirs }: Record<string, unknown>) => ours !== 0 || theirs !== 0,
      );
      expect(checks.length).toBeGreaterThan(0);
      for (const check of checks)
        expect(check).toMatchObject({ ...sides, reason: expect.stringContaining("no billable seconds") });
    },
  );

  test("[T10] a report shows null for a figure that is missing from the service's records", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", startTime: midMonth });
    onTestFinished(() => emulator.close());
    const { runWith } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (!path.includes("/usage")) return undefined;
      for (const row of body.data) delete row.billableSeconds;
      return { body };
    });
    const { json } = await runWith({ overrides }, "report", "usage", "--month", "2026-03", "-o", "json");
    expect(json.total.billable_seconds).toBeNull();
  });
});

test.each([
  [["weekly"], 'invalid report "weekly": expected calls, usage, billing'],
  [["billing", "--by", "day"], "report billing does not accept --by"],
  [["usage", "--timezone", "UTC"], "report usage does not accept --timezone"],
  [["usage", "--by", "hour"], 'invalid --by "hour": expected organization, day'],
])("`report` %j is a usage error: %s", async (argv, message) => {
  const { code, stderr } = await commandLine().run("report", ...argv);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
