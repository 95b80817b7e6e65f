import { parseTime } from "../../base/time-text.js";
import type { clock } from "../../contract/control/clock.js";
import { isoTime, isWorldTime } from "../kernel/clock.js";
import { invalid } from "../refusal.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";
import { dueEvents, nextEvent } from "./next-event.js";

const show = (world: World) => ({ mode: world.clock.current, now: isoTime(world.clock.now()) });

export const clockHandlers: ControlHandlers<typeof clock> = {
  "clock.get": ({ world }) => show(world),
  "clock.due": ({ world }, { query }) =>
    dueEvents(
      world.database,
      world.clock.now(),
      query.until === undefined ? undefined : parseTime(query.until),
    ).map(({ at, event, count }) => ({ at: isoTime(at), event, count })),
  "clock.update": ({ world }, { body }) => {
    // Not finer than microseconds: 4.021 s would else be a hair more than 4,021 ms.
    const advance = Math.round((body.advance_seconds ?? 0) * 1_000_000) / 1000;
    const step = body.set === undefined ? 0 : parseTime(body.set) - world.clock.now() - advance;
    // Time only moves forward. Judged before anything moves: a time once told can't be taken back.
    if (step < 0)
      throw invalid("emulator.clock", [
        { path: ["set"], message: `lies before the clock's time ${show(world).now}` },
      ]);
    if (!isWorldTime(world.clock.now() + advance + step)) {
      const path = [body.set === undefined ? "advance_seconds" : "set"];
      throw invalid("emulator.clock", [{ path, message: "leads beyond the clock's end, 2100-01-01" }]);
    }
    if (body.mode !== undefined && body.mode !== world.clock.current) world.clock.setMode(body.mode);
    const now = world.clock.now();
    if (!body.next) {
      world.clock.advance(advance + step);
      return show(world);
    }
    const next = nextEvent(world.database, now);
    if (next) world.clock.advance(next.at - now);
    return { ...show(world), events: next?.events ?? [] };
  },
};
