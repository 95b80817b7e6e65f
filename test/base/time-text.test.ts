import { describe, expect, test, vi } from "vitest";
import { parseTime } from "../../src/base/time-text.js";

describe.each(["UTC", "America/New_York", "Pacific/Kiritimati"])("on a machine in %s", (zone) => {
  test.each([
    ["Sun, 01 Nov 2026 09:30:00 GMT", "2026-11-01T09:30:00.000Z"],
    ["Sun Nov  1 09:30:00 2026", "2026-11-01T09:30:00.000Z"],
    ["2026-11-01 09:30:00 +0100", "2026-11-01T08:30:00.000Z"],
    ["2026-11-01T09:30", "2026-11-01T09:30:00.000Z"],
    ["2026-11-01T09:30:15", "2026-11-01T09:30:15.000Z"],
    ["2026-11-01 09:30:15.250", "2026-11-01T09:30:15.250Z"],
    ["2026-11-01T09:30:00+01:00", "2026-11-01T08:30:00.000Z"],
    ["2026-11-01T09:30:00Z", "2026-11-01T09:30:00.000Z"],
    ["2026-11-01", "2026-11-01T00:00:00.000Z"],
  ])("%s is read as the same instant on a machine in any time zone", (text, instant) => {
    vi.stubEnv("TZ", zone);
    expect(new Date(parseTime(text)).toISOString()).toBe(instant);
  });
});

test.each(["morgen", "1", "11/01/2026 09:30", "1 Nov 2026", ""])("parseTime rejects %j as a time", (text) => {
  expect(parseTime(text)).toBeNaN();
});
