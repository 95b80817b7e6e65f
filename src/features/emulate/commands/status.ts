import type { Transport } from "../../../base/transport.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { StartLine } from "../../../emulator/types.js";
import { openLocalNetwork } from "../local-server.js";
import { listRunningEmulators } from "../registry.js";
import { addLead, noteLead } from "./clock-lead.js";
import { emulatorFlags, readEmulator } from "./control.js";
import { createServerControl, findEmulator, hasEmulatorFlag } from "./emulator-target.js";

export const statusCommand: Command = {
  name: "status",
  summary: "Show an emulator's server, clock and contents",
  description:
    "Shows the profile's emulator. If several are running and none is selected, lists all of them.",
  flags: emulatorFlags,
  examples: [{ command: "voxctl emulator status" }],
  async run(session, input) {
    if (await listIfSeveral(session, input)) return;
    const network = await openLocalNetwork(session);
    const result = await findEmulator(session, input, network.transport).finally(() => network.close());
    if ("unreached" in result) {
      const { name, targets, unreadable } = result.unreached;
      const [service] = Object.values({ ...targets, ...unreadable });
      session.notes.note(`profile "${name}" doesn't use a local emulator`);
      await session.output.item({
        running: false,
        profile: name,
        service: service?.baseUrl ?? null,
        servers: result.running.map(toServerRow),
      });
      return;
    }
    await readEmulator(session, input, async (control, target, { running }) => {
      const { pid, uptime_seconds, ...status } = await control("status");
      const state = { ...status, clock: addLead(status.clock, session) };
      noteLead(state.clock, session);
      if (!("line" in target)) {
        await session.output.item({ running: false, ...state, servers: (await running()).map(toServerRow) });
        return;
      }
      const { line } = target;
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

/** Returns the fields to show for a server, without its keys. */
function toServerRow({ url, db, pid }: StartLine): Record<string, unknown> {
  return { url, db, pid };
}

/**
 * Lists the running emulators if there are several and neither a flag nor a profile selects one.
 * @returns whether the emulators were listed
 */
async function listIfSeveral(session: Session, input: Input): Promise<boolean> {
  if (hasEmulatorFlag(input)) return false;
  const { chosenBy } = await session.profile();
  if (chosenBy !== "default" && chosenBy !== "nobody") return false;
  const network = await openLocalNetwork(session);
  try {
    const running = await listRunningEmulators(session.folders, network.transport);
    if (running.length < 2) return false;
    await session.output.list(
      await Promise.all(running.map((line) => toRow(line, session, network.transport))),
      {
        columns: [
          { header: "URL", value: "url", keep: true },
          { header: "DATABASE", value: "db" },
          { header: "CLOCK", value: "clock.mode" },
          { header: "TIME", value: "clock.now", as: "time" },
          { header: "PROCESS", value: "pid", align: "right" },
        ],
      },
    );
    return true;
  } finally {
    await network.close();
  }
}

/** `clock` is null if the emulator has since stopped. */
async function toRow(
  line: StartLine,
  session: Session,
  transport: Transport,
): Promise<Record<string, unknown>> {
  const clock = await createServerControl(transport, line)("clock.get").catch(() => null);
  return { ...toServerRow(line), clock: clock && addLead(clock, session) };
}
