import type { Transport } from "../../../base/transport.js";
import type { StartLine } from "../../../emulator/types.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { callControl, isServing, openLocalNetwork } from "../../session/local-server.js";
import { emulatorFlags } from "./control.js";
import { requireEmulator } from "./emulator-target.js";
import { isRegistered } from "./registry.js";

/** How long a server may take to answer what is in flight and close its file. */
const stopMilliseconds = 10_000;

export const stopCommand: Command = {
  name: "stop",
  summary: "Stop the server of a world",
  flags: emulatorFlags,
  examples: [{ command: "voxctl emulator stop" }],
  run: async (session, input) => {
    const network = await openLocalNetwork(session);
    /** To a person the sentence says it all. */
    const report = async (sentence: string, result: Record<string, unknown>) => {
      if (session.output.format !== "table") await session.output.item(result);
      session.notes.note(sentence);
    };
    try {
      const target = await requireEmulator(session, input, network.transport, { changes: true });
      if (!("line" in target)) {
        return await report(`no emulator serves ${target.path}`, { stopped: false, db: target.path });
      }
      const { line } = target;
      await requestStop(line, network.transport);
      const deadline = session.clock.now() + stopMilliseconds;
      while ((await isServing(line, network.transport)) || isRegistered(session.folders, line)) {
        if (session.clock.now() >= deadline) {
          throw new CliError({
            exit: exits.pending,
            code: "not_stopped",
            message: `the emulator at ${line.url}, process ${line.pid}, was told to stop but goes on`,
            outcome: "unknown",
          });
        }
        await session.clock.sleep(50, session.signal);
      }
      const { url, pid, db } = line;
      await report(`stopped the emulator at ${url}`, { stopped: true, url, pid, db });
    } finally {
      await network.close();
    }
  },
};

/**
 * By its control interface: where there are no signals, as on Windows, one would end the process in the middle of its
 * work. An emulator of another version, or one inside a test, does not know the call and gets the signal.
 */
async function requestStop(line: StartLine, transport: Transport): Promise<void> {
  const { status } = await callControl(transport, line, "POST", "/stop");
  // It answered with its own token and number: the process is the emulator, not a stranger.
  if (status !== 200) process.kill(line.pid, "SIGTERM");
}
