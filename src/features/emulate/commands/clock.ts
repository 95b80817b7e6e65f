import { parseTime } from "../../../base/time-text.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import type { Control } from "../../../client/control.js";
import { clockEventText } from "../../../contract/control/clock-events.js";
import type { ControlData } from "../../../contract/control/control.js";
import { addLead, formatSpan, noteLead } from "./clock-lead.js";
import { changeEmulator, emulatorFlags, omitUndefined, parseSeconds, readEmulator } from "./control.js";

type Clock = ControlData<"clock.get">;

export const clock: Command = {
  name: "clock",
  summary: "Show or move the emulator's clock",
  description:
    "Without an argument, shows the time, how far it is ahead of real time, and the next events. The clock can't be moved back. `next` moves the clock to the next " +
    "event, such as a call's next step, a rating, or the end of a cooldown.",
  arguments: [
    {
      name: "change",
      description: "+90s, +15m or +2d; a date or time (UTC) such as 2026-12-24T18:00:00Z; or next",
      optional: true,
    },
  ],
  flags: [
    {
      name: "mode",
      value: "mode",
      description:
        "`real` follows the machine's clock; `virtual` advances only when it is moved. Commands with --profile offline advance either clock instead of waiting",
      choices: ["real", "virtual"],
      strict: true,
    },
    ...emulatorFlags,
  ],
  examples: [
    { command: "voxctl emulator clock" },
    { command: "voxctl emulator clock +1h" },
    { command: "voxctl emulator clock 2030-01-01T00:00:00Z --mode virtual" },
    { command: "voxctl emulator clock next" },
  ],
  run: (session, input) => {
    const body = omitUndefined({ ...parseChange(input.arguments[0]), mode: input.text("mode") });
    return Object.keys(body).length === 0
      ? readEmulator(session, input, (control) => showClock(session, control))
      : changeEmulator(session, input, (control) => moveClock(session, control, body));
  },
};

/** @throws usage error (2) for a change that is not a duration, a time or `next` */
function parseChange(change: string | undefined): Record<string, unknown> {
  if (change === undefined) return {};
  if (change === "next") return { next: true };
  if (change.startsWith("+")) return { advance_seconds: parseSeconds(change.slice(1), "change") };
  const time = parseTime(change);
  if (Number.isFinite(time)) return { set: new Date(time).toISOString() };
  throw usageError(
    `invalid change "${change}": expected +90s, a date or time such as 2030-01-01T00:00:00Z, or next`,
    {
      hint: "to show the clock, omit the argument",
    },
  );
}

async function showClock(session: Session, control: Control): Promise<void> {
  const now = addLead(await control("clock.get"), session);
  const events = await control("clock.due", { query: {} });
  const due = events.map((row) => ({ ...row, text: clockEventText(row.event) }));
  await session.output.item({ ...now, due });
  noteLead(now, session);
}

async function moveClock(
  session: Session,
  control: Control,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const before = await control("clock.get");
  const after = addLead(await control("clock.update", { body }), session);
  await session.output.item(after);
  if (body["next"] === true) session.notes.note(formatMove(before, after));
}

function formatMove(before: Clock, after: ControlData<"clock.update">): string {
  const seconds = (parseTime(after.now) - parseTime(before.now)) / 1_000;
  if (seconds === 0) return "no events are due";
  const events = (after.events ?? []).map(clockEventText);
  return `${formatSpan(seconds)} later${events.length > 0 ? `: ${events.join("; ")}` : ""}`;
}
