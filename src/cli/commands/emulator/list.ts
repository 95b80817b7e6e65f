import type { Transport } from "../../../base/transport.js";
import type { StartLine } from "../../../emulator/types.js";
import type { Command } from "../../session/command.js";
import { openLocalNetwork } from "../../session/local-server.js";
import { runningEmulators } from "./registry.js";
import { controlOfServer } from "./world.js";

/** `voxctl emulator list` */
export const list: Command = {
  name: "list",
  summary: "List the emulators of yours that run on this machine",
  examples: [{ command: "voxctl emulator list" }],
  async run(session) {
    const network = await openLocalNetwork(session);
    try {
      const running = await runningEmulators(session.folders, network.transport);
      await session.output.list(await Promise.all(running.map((line) => rowOf(line, network.transport))), {
        columns: [
          { header: "ADDRESS", value: "url", keep: true },
          { header: "WORLD", value: "db" },
          { header: "CLOCK", value: "clock.mode" },
          { header: "TIME", value: "clock.now", as: "time" },
          { header: "PROCESS", value: "pid", align: "right" },
        ],
        fields: ["url", "db", "pid", "clock"],
        empty: "no emulator of yours runs",
      });
    } finally {
      await network.close();
    }
  },
};

/** An emulator without its keys; `clock` is null where it ended meanwhile. */
async function rowOf(line: StartLine, transport: Transport): Promise<Record<string, unknown>> {
  const { url, db, pid } = line;
  const clock = await controlOfServer(transport, line)("clock.get").catch(() => null);
  return { url, db, pid, clock };
}
