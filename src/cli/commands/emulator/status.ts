import type { StartLine } from "../../../emulator/types.js";
import type { Command } from "../../session/command.js";
import { openLocalNetwork } from "../../session/local-server.js";
import { readWorld, worldFlags } from "./control.js";
import { lookForWorld } from "./world.js";

export const statusCommand: Command = {
  name: "status",
  summary: "Show a world: its server, clock and what is in it",
  description:
    "The world that the profile in use reaches. Where no server serves it, the emulators that run are listed beside it.",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator status" }],
  async run(session, input) {
    const network = await openLocalNetwork(session);
    const found = await lookForWorld(session, input, network.transport).finally(() => network.close());
    if ("unreached" in found) {
      const { name, targets, unreadable } = found.unreached;
      const [service] = Object.values({ ...targets, ...unreadable });
      session.notes.note(`the profile ${name} leads to no emulator of yours`);
      await session.output.item({
        running: false,
        profile: name,
        service: service?.baseUrl ?? null,
        servers: found.running.map(serverRow),
      });
      return;
    }
    await readWorld(session, input, async (control, world, { running }) => {
      const { pid, uptime_seconds, ...state } = await control("status");
      if (!("line" in world)) {
        await session.output.item({ running: false, ...state, servers: (await running()).map(serverRow) });
        return;
      }
      const { line } = world;
      await session.output.item({
        running: true,
        url: line.url,
        docs_url: `${line.base_url}/docs`,
        openapi_url: `${line.base_url}/openapi.json`,
        mcp_url: line.mcp_url,
        pid: line.pid,
        uptime_seconds,
        ...state,
      });
    });
  },
};

/** An emulator that runs, without its keys. */
function serverRow({ url, db, pid }: StartLine): Record<string, unknown> {
  return { url, db, pid };
}
