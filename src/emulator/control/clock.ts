import * as z from "zod";
import { isoTime } from "../kernel/clock.js";
import { invalid } from "../refusal.js";
import type { World } from "../world.js";
import { type ControlCall, controlCall } from "./call.js";

const show = (world: World) => ({ mode: world.clock.current, now: isoTime(world.clock.now()) });

export const clockCalls: readonly ControlCall[] = [
  controlCall({ method: "GET", path: "/clock", run: ({ world }) => show(world) }),
  controlCall({
    method: "PATCH",
    path: "/clock",
    body: z.strictObject({
      mode: z.enum(["real", "virtual"]).optional(),
      advance_seconds: z.number().min(0).optional(),
      set: z.iso.datetime({ offset: true }).optional(),
    }),
    run: ({ world }, { body }) => {
      if (body.mode !== undefined && body.mode !== world.clock.current) world.clock.setMode(body.mode);
      if (body.advance_seconds !== undefined) world.clock.advance(body.advance_seconds * 1000);
      if (body.set !== undefined) {
        const step = Date.parse(body.set) - world.clock.now();
        // Time only moves forward.
        if (step < 0)
          throw invalid("emulator.clock", [
            { path: ["set"], message: `lies before the clock's time ${show(world).now}` },
          ]);
        world.clock.advance(step);
      }
      return show(world);
    },
  }),
];
