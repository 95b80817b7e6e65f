import { expect, it } from "vitest";
import { createAssistant } from "../../helpers/assistants.js";
import { type Reply, testOnTransports } from "../../helpers/test-emulator.js";

const weekly = {
  monday: [
    { from: "08:00", to: "12:00" },
    { from: "12:00", to: "24:00" },
  ],
};
const everyDay = {
  ...weekly,
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
  sunday: [],
};
const withSchedule = (schedule: object) => ({
  name: "Practice",
  schedules: [{ kind: "opening", weekly, ...schedule }],
});
const names = (reply: Reply) => reply.body.data.map((calendar: { name: string }) => calendar.name);

testOnTransports("calendars", (open) => {
  it("[public.endpoints.crud] [public.calendar.kinds] a calendar is created with schedules", async () => {
    await using emulator = await open();
    const overrides = [
      { date: "2026-12-24", closed: true },
      { date: "2028-02-29", intervals: [{ from: "00:00", to: "24:00" }] },
      { date: "2026-12-31", intervals: [] },
    ];
    const schedules = ["opening", "service", "office", "operating"].map((type) => ({
      kind: type,
      weekly,
      overrides,
    }));
    const created = await emulator.ask("POST", "/calendars", { body: { name: " Practice ", schedules } });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      name: "Practice",
      timezone: "Europe/Berlin",
      schedules: schedules.map((schedule) => ({ ...schedule, weekly: everyDay })),
    });
    const { id } = created.body.data;
    expect((await emulator.ask("GET", `/calendars/${id}`)).body).toEqual(created.body);
    const { name, timezone, schedules: read } = created.body.data;
    const again = await emulator.ask("PATCH", `/calendars/${id}`, {
      body: { name, timezone, schedules: read },
    });
    expect(again.body.data.schedules).toEqual(read);
    expect((await emulator.ask("DELETE", `/calendars/${id}`)).body).toEqual({ data: {} });
    expect((await emulator.ask("GET", `/calendars/${id}`)).status).toBe(404);
  });

  it("[public.calendar.kinds refuses] a schedule has one of four types", async () => {
    await using emulator = await open();
    const refused = await emulator.ask("POST", "/calendars", { body: withSchedule({ kind: "closing" }) });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-emulator-rule")).toBe("public.calendar.kinds");
    expect(refused.body.error.details[0].path).toEqual(["schedules", 0, "kind"]);
  });

  it.each([
    [
      "an invalid time of day",
      { weekly: { monday: [{ from: "8:00", to: "12:00" }] } },
      ["weekly", "monday", 0, "from"],
    ],
    ["25 o'clock", { weekly: { friday: [{ from: "08:00", to: "25:00" }] } }, ["weekly", "friday", 0, "to"]],
    [
      "24:00 as a start",
      { weekly: { friday: [{ from: "24:00", to: "24:00" }] } },
      ["weekly", "friday", 0, "from"],
    ],
    [
      "an end before its start",
      { weekly: { sunday: [{ from: "12:00", to: "08:00" }] } },
      ["weekly", "sunday", 0, "to"],
    ],
    [
      "an empty interval",
      { weekly: { sunday: [{ from: "12:00", to: "12:00" }] } },
      ["weekly", "sunday", 0, "to"],
    ],
    [
      "intervals that overlap",
      {
        weekly: {
          monday: [
            { from: "08:00", to: "12:00" },
            { from: "11:59", to: "13:00" },
          ],
        },
      },
      ["weekly", "monday", 1, "from"],
    ],
    [
      "intervals out of order",
      {
        weekly: {
          monday: [
            { from: "13:00", to: "18:00" },
            { from: "08:00", to: "12:00" },
          ],
        },
      },
      ["weekly", "monday", 1, "from"],
    ],
    ["an invalid weekday", { weekly: { someday: [] } }, ["weekly", "someday"]],
    ["a missing week", { weekly: undefined }, ["weekly"]],
    [
      "a day that doesn't exist",
      { overrides: [{ date: "2026-02-30", closed: true }] },
      ["overrides", 0, "date"],
    ],
    ["an override without hours", { overrides: [{ date: "2026-12-24" }] }, ["overrides", 0, "intervals"]],
    [
      "an override that is closed and has hours",
      { overrides: [{ date: "2026-12-24", closed: true, intervals: [] }] },
      ["overrides", 0, "closed"],
    ],
    [
      "an override that is not closed",
      { overrides: [{ date: "2026-12-24", closed: false }] },
      ["overrides", 0, "closed"],
    ],
    [
      "two overrides of a day",
      {
        overrides: [
          { date: "2026-12-24", closed: true },
          { date: "2026-12-24", intervals: [] },
        ],
      },
      ["overrides", 1, "date"],
    ],
  ])(
    "[D-calendar refuses] a calendar with %s is refused, and the error contains the path",
    async (_, schedule, path) => {
      await using emulator = await open();
      const refused = await emulator.ask("POST", "/calendars", { body: withSchedule(schedule) });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details.map((detail: { path: unknown }) => detail.path)).toContainEqual([
        "schedules",
        0,
        ...path,
      ]);
      expect((await emulator.ask("GET", "/calendars")).body.data).toEqual([]);
    },
  );

  it("[D-calendar holds refuses] the time zone must be an IANA name", async () => {
    await using emulator = await open();
    for (const timezone of ["Europe/Zurich", "UTC", "America/Argentina/Buenos_Aires"]) {
      const created = await emulator.ask("POST", "/calendars", { body: { name: timezone, timezone } });
      expect(created.body.data.timezone).toBe(timezone);
    }
    for (const timezone of ["Europe/Atlantis", "+01:00", ""]) {
      const refused = await emulator.ask("POST", "/calendars", { body: { name: "x", timezone } });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-calendar");
    }
  });

  // plain-words: allow title-long
  it("[public.calendar.unique holds refuses] [public.operations.11 holds refuses] a create or PATCH can't reuse a name in an organization", async () => {
    await using emulator = await open();
    await emulator.ask("POST", "/calendars", { body: { name: "Practice" } });
    const taken = await emulator.ask("POST", "/calendars", { body: { name: " Practice" } });
    expect([taken.status, taken.body.error.code]).toEqual([409, "conflict"]);
    expect(taken.headers.get("x-emulator-rule")).toBe("public.calendar.unique");
    const second = await emulator.ask("POST", "/calendars", { body: { name: "Laboratory" } });
    const at = `/calendars/${second.body.data.id}`;
    expect((await emulator.ask("PATCH", at, { body: { name: "Practice", timezone: "UTC" } })).status).toBe(
      409,
    );
    expect((await emulator.ask("GET", at)).body).toEqual(second.body);
    // A PATCH can contain the calendar's own name.
    expect((await emulator.ask("PATCH", at, { body: { name: "Laboratory" } })).status).toBe(200);
    expect(names(await emulator.ask("GET", "/calendars"))).toEqual(["Practice", "Laboratory"]);
  });

  it("[public.calendar.unique] two organizations may use the same calendar name", async () => {
    await using emulator = await open();
    const mine = await emulator.ask("POST", "/calendars", { body: { name: "Practice" } });
    const organization = await emulator.control("POST", "/organizations", { name: "Neighbors" });
    const { key } = await emulator.control("POST", "/keys", {
      kind: "public",
      organization_id: organization.id,
    });
    expect((await emulator.ask("POST", "/calendars", { key, body: { name: "Practice" } })).status).toBe(201);
    expect((await emulator.ask("GET", `/calendars/${mine.body.data.id}`, { key })).status).toBe(404);
  });

  it("[public.operations.11b] a PATCH replaces the schedules only if it contains them", async () => {
    await using emulator = await open();
    const schedules = [
      { kind: "opening", weekly },
      { kind: "office", weekly },
    ];
    const created = await emulator.ask("POST", "/calendars", { body: { name: "Practice", schedules } });
    const at = `/calendars/${created.body.data.id}`;
    const renamed = await emulator.ask("PATCH", at, { body: { name: "Surgery" } });
    expect(renamed.body.data.schedules).toEqual(created.body.data.schedules);
    const replaced = await emulator.ask("PATCH", at, {
      body: { schedules: [{ kind: "service", weekly: {} }] },
    });
    expect(replaced.body.data.schedules.map((schedule: { kind: string }) => schedule.kind)).toEqual([
      "service",
    ]);
    expect((await emulator.ask("PATCH", at, { body: { schedules: [] } })).body.data.schedules).toEqual([]);
  });

  it("[public.operations.11c holds refuses] a calendar in use can't be deleted", async () => {
    await using emulator = await open();
    const { id } = (await emulator.ask("POST", "/calendars", { body: { name: "Practice" } })).body.data;
    const assistant = await createAssistant(emulator, { calendar_ids: [id] });
    const refused = await emulator.ask("DELETE", `/calendars/${id}`);
    expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
    expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.11c");
    expect((await emulator.ask("GET", `/calendars/${id}`)).status).toBe(200);
    await emulator.ask("PATCH", `/assistants/${assistant.id}`, { body: { calendar_ids: [] } });
    expect((await emulator.ask("DELETE", `/calendars/${id}`)).status).toBe(200);
  });
});
