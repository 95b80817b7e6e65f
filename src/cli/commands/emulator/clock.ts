import { clockEventText } from "../../../contract/control/clock-events.js";
import type { Command } from "../../session/command.js";
import { changeWorld, controlCommand, readWorld, secondsOf, worldFlags } from "./control.js";

export const clockCommands: readonly Command[] = [
  controlCommand({
    name: "show",
    call: "clock.get",
    examples: [{ command: "voxctl emulator clock show" }],
  }),
  {
    name: "due",
    summary: "List what happens next by the clock alone, the soonest of each kind",
    description:
      "With --within, all that a clock advance of that length makes happen: time never goes back, so look first.",
    flags: [
      { name: "within", value: "duration", description: "only what happens so soon, like 1h" },
      ...worldFlags,
    ],
    examples: [
      { command: "voxctl emulator clock due" },
      { command: "voxctl emulator clock due --within 1d" },
    ],
    run: (session, input) =>
      readWorld(session, input, async (control) => {
        const within = input.text("within");
        const until =
          within === undefined
            ? undefined
            : new Date(
                Date.parse((await control("clock.get")).now) + secondsOf(within, "--within") * 1_000,
              ).toISOString();
        const due = await control("clock.due", { query: { until } });
        await session.output.list(
          due.map((row) => ({ ...row, text: clockEventText(row.event) })),
          {
            columns: [
              { header: "AT", value: "at", as: "time", keep: true },
              { header: "WHAT", value: "text", keep: true },
              { header: "HOW MANY", value: "count", align: "right" },
            ],
            empty: "nothing happens by itself",
          },
        );
      }),
  },
  controlCommand({
    name: "advance",
    call: "clock.update",
    summary: "Move the world's time forward",
    arguments: [{ name: "duration", description: "like 90s, 15m, 1h30m or 2d" }],
    examples: [{ command: "voxctl emulator clock advance 1h" }],
    input: (input) => ({ body: { advance_seconds: secondsOf(input.arguments[0] ?? "", "<duration>") } }),
  }),
  controlCommand({
    name: "set",
    call: "clock.update",
    summary: "Set the world's time; it never goes back",
    arguments: [{ name: "time", description: "like 2026-12-24T18:00:00Z" }],
    examples: [{ command: "voxctl emulator clock set 2030-01-01T00:00:00Z" }],
    input: (input) => ({ body: { set: input.arguments[0] } }),
  }),
  controlCommand({
    name: "mode",
    call: "clock.update",
    summary: "Let the time run with the wall clock, or freeze it",
    arguments: [{ name: "mode", description: "real or virtual" }],
    examples: [{ command: "voxctl emulator clock mode virtual" }],
    input: (input) => ({ body: { mode: input.arguments[0] } }),
  }),
  {
    name: "next",
    summary: "Move the world's time to the next thing that happens by itself",
    description:
      "An indexing that starts or ends, a rating, a step of a call or its recording, the end of a window, cooldown or fault, or of a key that expires within seven days.",
    flags: worldFlags,
    examples: [{ command: "voxctl emulator clock next" }],
    run: (session, input) =>
      changeWorld(session, input, async (control) => {
        const before = await control("clock.get");
        const after = await control("clock.update", { body: { next: true } });
        await session.output.item(after);
        const moved = Date.parse(after.now) - Date.parse(before.now);
        const what = (after.events ?? []).map(clockEventText);
        session.notes.note(
          moved === 0
            ? "nothing is due"
            : `${spanOf(moved / 1000)} later${what.length > 0 ? `: ${what.join("; ")}` : ""}`,
        );
      }),
  },
];

/** A span of time as a person says it: two digits are enough. */
function spanOf(seconds: number): string {
  const [size, unit] =
    seconds < 120
      ? [1, "s"]
      : seconds < 7_200
        ? [60, "min"]
        : seconds < 172_800
          ? [3_600, "h"]
          : [86_400, "days"];
  return `${Math.round((seconds / Number(size)) * 10) / 10} ${unit}`;
}
