import { clockEventText } from "../../../../contract/control/clock-events.js";
import { type App, useApp } from "./context.js";
import { formatAhead, formatCount, formatMoment } from "./format.js";
import { number, type Row, rowOf, rowsOf, text } from "./rows.js";

/** A move of the clock. `next`: to the next event. `run`: the clock runs in real time from now on. */
export type ClockMove = "next" | "run" | { advance_seconds: number } | { set: string };

const permission = "clock";

function formatEvent(row: Row): string {
  const count = number(row, "count");
  return clockEventText(text(row, "event")) + (count > 1 ? ` (${count} times)` : "");
}

async function previewMove({ control }: App, move: ClockMove) {
  const now = text(rowOf(await control.get("/clock")), "now");
  const due = rowsOf(await control.get("/clock/due"));
  const next = text(due[0] ?? {}, "at");
  if (move === "run") {
    const first = due[0] ? ` Next: ${formatEvent(due[0])}, ${formatAhead(now, next)}.` : "";
    return { text: `Events will occur in real time.${first}`, list: [] };
  }
  if (move === "next" && next === "") return undefined;
  const until =
    move === "next"
      ? next
      : "set" in move
        ? move.set
        : new Date(Date.parse(now) + move.advance_seconds * 1_000).toISOString();
  const events = rowsOf(await control.get(`/clock/due?until=${encodeURIComponent(until)}`));
  const count = events.reduce((sum, row) => sum + number(row, "count"), 0);
  const happens =
    count === 0 ? "No events are due until then." : `${formatCount(count, "event")} will occur:`;
  return {
    text: `The clock will move from ${formatMoment(now)} to ${formatMoment(until)}. ${happens}`,
    list: events.map(formatEvent),
  };
}

/** Lists the due events and asks for confirmation, because the clock can't be moved back. */
export function useClockMove(): (move: ClockMove) => Promise<void> {
  const app = useApp();
  const { control, pulse, attempt, notify, confirm, allowed } = app;
  return async (move) => {
    let mayMove = false;
    await attempt(async () => {
      const preview = await previewMove(app, move);
      if (!preview) {
        notify("There is no next event.");
        return;
      }
      mayMove = allowed.has(permission);
      if (mayMove) return;
      const consent = await confirm({
        title: move === "run" ? "Run the clock in real time?" : "Move the clock?",
        ...preview,
        action: move === "run" ? "Run" : "Move",
        choice: "Don't ask again while this page is open",
      });
      mayMove = consent !== undefined;
      if (consent?.choice) allowed.add(permission);
    });
    if (!mayMove) return;
    await attempt(async () => {
      const body = move === "next" ? { next: true } : move === "run" ? { mode: "real" } : move;
      const clock = rowOf(await control.send("PATCH", "/clock", body));
      const events = Array.isArray(clock["events"]) ? clock["events"].map(String).map(clockEventText) : [];
      const what = events.length > 0 ? `${events.join("; ")}. ` : "";
      const mode = text(clock, "mode") === "virtual" ? "frozen" : "running";
      notify(`${what}The clock is at ${formatMoment(text(clock, "now"))} and ${mode}.`);
      await pulse.beat();
    });
  };
}
