import type { EmulatorState } from "../../emulator-state.js";
import { isoTime } from "../../kernel/clock.js";
import { plantRow } from "../../kernel/planting.js";

const dayMilliseconds = 86_400_000;

type Span = readonly [from: string, to: string];
const day = (...spans: Span[]) => spans.map(([from, to]) => ({ from, to }));
const closed = day();

const fullDay = day(["08:00", "12:00"], ["13:00", "18:00"]);
const practice = {
  monday: fullDay,
  tuesday: fullDay,
  wednesday: day(["08:00", "13:00"]),
  thursday: fullDay,
  friday: day(["08:00", "14:00"]),
  saturday: closed,
  sunday: closed,
};
const line = day(["07:30", "19:00"]);
const telephone = {
  ...practice,
  monday: line,
  tuesday: line,
  wednesday: line,
  thursday: line,
  friday: day(["07:30", "15:00"]),
};
const hygiene = {
  ...practice,
  monday: closed,
  wednesday: closed,
  thursday: day(["10:00", "12:00"], ["13:00", "20:00"]),
  saturday: day(["09:00", "13:00"]),
};
const round = day(["00:00", "24:00"]);
const emergency = {
  monday: round,
  tuesday: round,
  wednesday: round,
  thursday: round,
  friday: round,
  saturday: round,
  sunday: round,
};

/** Days with special hours are in the future by the emulator's clock. */
export function plantCalendars(state: EmulatorState, organizationId: string): void {
  const ahead = (days: number) => isoTime(state.clock.now() + days * dayMilliseconds).slice(0, 10);
  const overrides = [
    { date: ahead(9), intervals: day(["08:00", "11:00"]) },
    { date: ahead(23), closed: true },
    { date: ahead(24), closed: true },
  ];
  const calendars = [
    {
      name: "Praxis",
      schedules: [
        { kind: "opening", weekly: practice, overrides },
        { kind: "service", weekly: telephone, overrides: [] },
      ],
    },
    { name: "Prophylaxe", schedules: [{ kind: "office", weekly: hygiene, overrides: overrides.slice(1) }] },
    { name: "Notfallleitung", schedules: [{ kind: "operating", weekly: emergency, overrides: [] }] },
  ];
  for (const { name, schedules } of calendars) {
    plantRow(state, "calendars", organizationId, {
      name,
      timezone: "Europe/Berlin",
      schedules: JSON.stringify(schedules),
    });
  }
}
