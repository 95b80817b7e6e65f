import { expect, it } from "vitest";
import { createAssistant, triggerCall } from "../../helpers/calls.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

// The emulator's time starts on Monday, 2 March 2026, 09:00: week 10.
const usage = (emulator: TestEmulator, query = "week=10&year=2026&assistant_id=all") =>
  emulator.ask("GET", `/statistics/usage?${query}`);

function past(emulator: TestEmulator, assistant_id: string, created_at: string, more: object = {}) {
  return emulator.control("POST", "/calls", { assistant_id, created_at, ...more });
}

testOnTransports("statistics", (open) => {
  it("[public.operations.15] the summary lists all assistants and each week with completed calls", async () => {
    await using emulator = await open();
    const first = await createAssistant(emulator);
    const second = await createAssistant(emulator);
    await past(emulator, first.id, "2026-02-27T10:00:00Z");
    await past(emulator, first.id, "2026-02-26T10:00:00Z");
    await past(emulator, first.id, "2025-12-29T00:00:00Z");
    await past(emulator, first.id, "2021-01-03T23:59:59.999Z");
    await past(emulator, first.id, "2026-02-18T10:00:00Z", { status: "busy" });
    const summary = await emulator.ask("GET", "/statistics/summary");
    expect(summary.status).toBe(200);
    expect(summary.body.data).toEqual({
      weeks: [
        { week: 9, year: 2026 },
        { week: 1, year: 2026 },
        { week: 53, year: 2020 },
      ],
      assistants: [first, second].map(({ id, name }) => ({ id, name })),
    });
  });

  it("[public.operations.15] a call counts only after it is completed", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    await triggerCall(emulator, { assistant_id: id, to: "+4915112345678" });
    await emulator.advance(96);
    expect((await emulator.ask("GET", "/statistics/summary")).body.data.weeks).toEqual([]);
    expect((await usage(emulator)).body.data.weekly.total_calls).toBe(0);
    await emulator.advance(1);
    expect((await emulator.ask("GET", "/statistics/summary")).body.data.weeks).toEqual([
      { week: 10, year: 2026 },
    ]);
    expect((await usage(emulator)).body.data.weekly.total_calls).toBe(1);
  });

  it("[public.operations.16a holds refuses] usage requires a valid week, year and assistant_id", async () => {
    await using emulator = await open();
    for (const [query, field] of [
      ["year=2026&assistant_id=all", "week"],
      ["week=10&assistant_id=all", "year"],
      ["week=10&year=2026", "assistant_id"],
      ["week=0&year=2026&assistant_id=all", "week"],
      ["week=54&year=2026&assistant_id=all", "week"],
      ["week=1.5&year=2026&assistant_id=all", "week"],
      ["week=x&year=2026&assistant_id=all", "week"],
      ["week=10&year=2019&assistant_id=all", "year"],
      ["week=10&year=2101&assistant_id=all", "year"],
      ["week=10&year=2026&assistant_id=everybody", "assistant_id"],
    ] as const) {
      const refused = await usage(emulator, query);
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].path).toEqual([field]);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.16a");
    }
    for (const query of ["week=1&year=2020&assistant_id=all", "week=52&year=2100&assistant_id=all"])
      expect((await usage(emulator, query)).status).toBe(200);
  });

  it("[D-stats holds refuses] week 53 is valid only in years that have one", async () => {
    await using emulator = await open();
    expect((await usage(emulator, "week=53&year=2026&assistant_id=all")).status).toBe(200);
    expect((await usage(emulator, "week=53&year=2025&assistant_id=all")).status).toBe(400);
  });

  it("[public.operations.16b holds refuses] usage hides deleted assistants, but not their calls", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    await past(emulator, id, "2026-03-02T08:00:00Z");
    const query = `week=10&year=2026&assistant_id=${id}`;
    expect((await usage(emulator, query)).body.data.weekly.total_calls).toBe(1);
    await emulator.ask("DELETE", `/assistants/${id}`);
    expect((await usage(emulator, query)).status).toBe(404);
    expect((await usage(emulator)).body.data.weekly.total_calls).toBe(1);
    const organization = await emulator.control("POST", "/organizations", {});
    const { key } = await emulator.control("POST", "/keys", {
      kind: "public",
      organization_id: organization.id,
    });
    const own = await createAssistant(emulator);
    const path = `/statistics/usage?week=10&year=2026&assistant_id=${own.id}`;
    expect((await emulator.ask("GET", path, { key })).status).toBe(404);
  });

  it("[public.operations.16c] only completed calls are billed, each for at least 60 s", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    for (const duration_seconds of [0, 10, 60, 61, 200])
      await past(emulator, id, "2026-03-02T08:00:00Z", { duration_seconds });
    await past(emulator, id, "2026-03-02T08:00:00Z", { status: "failed", duration_seconds: 500 });
    const { weekly, monthly, last_24h } = (await usage(emulator)).body.data;
    for (const totals of [weekly, monthly, last_24h]) {
      expect(totals.total_calls).toBe(5);
      expect(totals.total_duration_seconds).toBe(60 + 60 + 60 + 61 + 200);
    }
  });

  it("[D-stats] a week has seven days, from Monday 00:00 to Sunday 24:00 UTC", async () => {
    await using emulator = await open({ startTime: "2026-04-15T12:00:00Z" });
    const { id } = await createAssistant(emulator);
    for (const time of [
      "2026-03-29T23:59:59.999Z",
      "2026-03-30T00:00:00Z",
      "2026-04-01T10:00:00Z",
      "2026-04-05T23:59:59.999Z",
      "2026-04-06T00:00:00Z",
    ])
      await past(emulator, id, time);
    const { data } = (await usage(emulator, "week=14&year=2026&assistant_id=all")).body;
    expect(data).toMatchObject({ week: 14, year: 2026, assistant_id: "all" });
    expect(data.weekly.total_calls).toBe(3);
    expect(data.weekly.days).toEqual([
      { date: "2026-03-30", calls: 1, duration_seconds: 60 },
      { date: "2026-03-31", calls: 0, duration_seconds: 0 },
      { date: "2026-04-01", calls: 1, duration_seconds: 60 },
      { date: "2026-04-02", calls: 0, duration_seconds: 0 },
      { date: "2026-04-03", calls: 0, duration_seconds: 0 },
      { date: "2026-04-04", calls: 0, duration_seconds: 0 },
      { date: "2026-04-05", calls: 1, duration_seconds: 60 },
    ]);
  });

  it("[D-stats] the monthly statistics cover exactly the month that contains the week's Thursday", async () => {
    await using emulator = await open({ startTime: "2026-06-01T00:00:00Z" });
    const { id } = await createAssistant(emulator);
    for (const time of [
      // Week 14 starts in March, but its Thursday is in April.
      "2026-03-31T23:59:59Z",
      "2026-04-01T00:00:00Z",
      "2026-04-30T23:59:59.999Z",
      "2026-05-01T00:00:00Z",
    ])
      await past(emulator, id, time);
    const { monthly } = (await usage(emulator, "week=14&year=2026&assistant_id=all")).body.data;
    expect(monthly).toEqual({
      month: "2026-04",
      total_calls: 2,
      total_duration_seconds: 120,
      weeks: [
        { week: 14, year: 2026, calls: 1, duration_seconds: 60 },
        { week: 18, year: 2026, calls: 1, duration_seconds: 60 },
      ],
    });
  });

  it("[public.operations.16d] hourly usage always covers the last 24 hours, for any week", async () => {
    await using emulator = await open({ startTime: "2026-03-02T09:30:00Z" });
    const { id } = await createAssistant(emulator);
    for (const time of [
      // The range excludes its start time and includes its end time.
      "2026-03-01T09:30:00Z",
      "2026-03-01T09:30:00.001Z",
      "2026-03-01T10:30:00Z",
      "2026-03-01T10:30:00.001Z",
      "2026-03-02T08:30:00Z",
      "2026-03-02T09:30:00Z",
    ])
      await past(emulator, id, time);
    for (const query of ["week=10&year=2026&assistant_id=all", `week=1&year=2030&assistant_id=${id}`]) {
      const { hourly_call_counts_last_24h: hours, last_24h } = (await usage(emulator, query)).body.data;
      expect(hours).toEqual([2, 1, ...Array(20).fill(0), 1, 1]);
      expect(last_24h).toEqual({ total_calls: 5, total_duration_seconds: 300 });
    }
    await emulator.advance(86_400);
    expect((await usage(emulator)).body.data.last_24h.total_calls).toBe(0);
  });

  it("[public.operations.16b] the usage of an assistant contains only its own calls", async () => {
    await using emulator = await open();
    const [first, second] = [await createAssistant(emulator), await createAssistant(emulator)];
    await past(emulator, first.id, "2026-03-02T08:00:00Z");
    await past(emulator, second.id, "2026-03-02T08:00:00Z");
    await past(emulator, second.id, "2026-03-02T07:00:00Z");
    const of = async (id: string) =>
      (await usage(emulator, `week=10&year=2026&assistant_id=${id}`)).body.data.weekly.total_calls;
    expect([await of(first.id), await of(second.id), await of("all")]).toEqual([1, 2, 3]);
  });

  it("[public.auth.6 refuses] usage and summary return 402 without the `statistics` feature", async () => {
    await using emulator = await open();
    await emulator.control("PATCH", `/organizations/${emulator.instance.startLine.organization_id}`, {
      features: ["public_api"],
    });
    expect((await usage(emulator)).status).toBe(402);
    expect((await emulator.ask("GET", "/statistics/summary")).status).toBe(402);
  });
});
