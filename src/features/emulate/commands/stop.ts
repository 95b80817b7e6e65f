import type { Transport } from "../../../base/transport.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { StartLine } from "../../../emulator/types.js";
import { callControl, isServing, openLocalNetwork } from "../local-server.js";
import { isRegistered, listRunningEmulators } from "../registry.js";
import { emulatorFlags } from "./control.js";
import { formatNoServer, requireEmulator } from "./emulator-target.js";

/** Time for a server to respond to pending requests and close its database. */
const stopMilliseconds = 10_000;

export const stopCommand: Command = {
  name: "stop",
  summary: "Stop an emulator",
  flags: emulatorFlags,
  examples: [{ command: "voxctl emulator stop" }],
  run: async (session, input) => {
    const network = await openLocalNetwork(session);
    // For table output, print only the message on stderr: it already contains every field.
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
 * Stops the server through its control interface, because on Windows a signal would kill it immediately.
 * Sends a signal only if this server doesn't support the request, for example because its version is
 * different.
 */
async function requestStop(line: StartLine, transport: Transport): Promise<void> {
  const { status } = await callControl(transport, line, "POST", "/stop");
  // The server was just identified by its token and process ID, so this process is the emulator.
  if (status !== 200) process.kill(line.pid, "SIGTERM");
}
