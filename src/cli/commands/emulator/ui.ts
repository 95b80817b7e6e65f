import { notFoundError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { readWorld, worldFlags } from "./control.js";

export const ui: Command = {
  name: "ui",
  summary: "Print a link to the page of a running emulator",
  description:
    "Requests as they come, organizations, clock, faults, limits, resources and rules. The link works once; the browser that opens it stays signed in.",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator ui" }],
  run: (session, input) =>
    readWorld(session, input, async (control, world) => {
      if (!("line" in world)) {
        throw notFoundError(`no emulator serves ${world.path}`, "start one with voxctl emulator start");
      }
      const url = world.line.url + (await control("uiTickets.create")).path;
      const { output: asked } = session.flags;
      // A link is for a browser, also where a shell hands it on: open "$(voxctl emulator ui)".
      if (asked === undefined || asked === "table") await session.output.text(`${url}\n`);
      else await session.output.item({ url });
    }),
};
