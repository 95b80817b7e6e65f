import { parseTime } from "../../base/time-text.js";
import type { clock } from "../../contract/control/clock.js";
import type { EmulatorState } from "../emulator-state.js";
import { isEmulatorTime, isoTime } from "../kernel/clock.js";
import { invalid } from "../refusal.js";
import type { ControlHandlers } from "./handlers.js";
import { findNextEvent, listDueEvents } from "./next-event.js";

const show = (state: EmulatorState) => ({ mode: state.clock.current, now: isoTime(state.clock.now()) });

export const clockHandlers: ControlHandlers<typeof clock> = {
  "clock.get": ({ state }) => show(state),
  "clock.due": ({ state }, { query }) =>
    listDueEvents(
      state.database,
      state.clock.now(),
      query.until === undefined ? undefined : parseTime(query.until),
    ).map(({ at, event, count }) => ({ at: isoTime(at), event, count })),
  "clock.update": ({ state }, { body }) => {
    // Round to microseconds: otherwise, 4.001 s would become slightly more than 4,001 ms.
    const advance = Math.round((body.advance_seconds ?? 0) * 1_000_000) / 1000;
    const step = body.set === undefined ? 0 : parseTime(body.set) - state.clock.now() - advance;
    // The clock only moves forward.
    if (step < 0)
      throw invalid("emulator.clock", [
        { path: ["set"], message: `must not be before the clock's time, ${show(state).now}` },
      ]);
    if (!isEmulatorTime(state.clock.now() + advance + step)) {
      const path = [body.set === undefined ? "advance_seconds" : "set"];
      throw invalid("emulator.clock", [
        { path, message: "must not be later than 2100-01-01, the latest time of the clock" },
      ]);
    }
    if (body.mode !== undefined && body.mode !== state.clock.current) state.clock.setMode(body.mode);
    const now = state.clock.now();
    if (!body.next) {
      state.clock.advance(advance + step);
      return show(state);
    }
    const next = findNextEvent(state.database, now);
    if (next) state.clock.advance(next.at - now);
    return { ...show(state), events: next?.events ?? [] };
  },
};
