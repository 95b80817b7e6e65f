import type { Transport } from "../../../base/transport.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { StartLine } from "../../../emulator/types.js";
import { callControl, isServing, openLocalNetwork } from "../local-server.js";
import { isRegistered, listRunningEmulators } from "../registry.js";
import { emulatorFlags } from "./control.js";
import { formatNoServer, requireEmulator } from "./emulator-target.js";

const stopMilliseconds = 10_000;

export const stopCommand: Command = {
  name: "stop",
  summary: "Stop an emulator",
  flags: emulatorFlags,
  examples: [{ command: "voxctl emulator stop" }],
  run: async (session, input) => {
    const network = await openLocalNetwork(session);
    // The message on stderr is enough for a user. Scripts also get the result on stdout.
    const report = async (sentence: string, result: Record<string, unknown>) => {
      if (session.output.format !== "table") await session.output.item(result);
      session.notes.note(sentence);
    };
    try {
      const target = await requireEmulator(session, input, network.transport, { changes: true });
      if (!("line" in target)) {
        const running = await listRunningEmulators(session.folders, network.transport);
        return await report(formatNoServer(target, running), { stopped: false, db: target.path });
      }
      const { line } = target;
      await requestStop(line, network.transport);
      const deadline = session.clock.now() + stopMilliseconds;
      while ((await isServing(line, network.transport)) || isRegistered(session.folders, line)) {
        if (session.clock.now() >= deadline) {
          throw new CliError({
            exit: exits.pending,
            code: "not_stopped",
            message: `the emulator at ${line.url}, process ${line.pid}, did not stop within 10 s`,
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
 * Stops the server through its control interface: on Windows, a signal would kill it immediately. If a server
 * of another version refuses the request, sends a signal.
 */
async function requestStop(line: StartLine, transport: Transport): Promise<void> {
  const { status } = await callControl(transport, line, "POST", "/stop");
  // The process ID is safe to use: the server has identified itself with its token.
  if (status !== 200) process.kill(line.pid, "SIGTERM");
}
