import { formatCount } from "../../../base/text.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { readStoreSettings, type StoreSettings } from "../../../cli/bulk/store.js";
import { CliError, exits, refusedError, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { parseCount } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import type { StoredFleet } from "../../../store/index.js";
import type { MemberEnd, TakenMember } from "../index.js";
import { createMemberRunner, listKeyVariables, workerParallel } from "./execute.js";
import type { MemberAccess } from "./member-access.js";
import { openMemberFolder } from "./member-folder.js";
import { removeOldLogs } from "./member-logs.js";
import { resolveRows } from "./resume.js";
import { createSharedHost, type SharedFleet } from "./shared-fleet.js";
import { describeVersion, listHow } from "./shared-run.js";
import { type SharedFleets, withSharedFleets } from "./shared-store.js";
import { createEventPrinter } from "./show-result.js";

export const work: Command = {
  name: "work",
  summary: "Run members of the fleet runs in a store",
  description: `Runs members of all fleet runs in the store until no run is in progress. Requires the keys of all members: if a key is missing, voxctl runs no member of that fleet run. One process decides which members of a fleet run start; if that process ends, a worker replaces it.

The process of \`fleet run\` itself runs up to ${workerParallel} members at the same time. To leave members for other workers, start the run with a higher --parallel.

To stop after the running members have ended, press Ctrl-C. To interrupt them and release them to other workers, press Ctrl-C twice.`,
  flags: [
    {
      name: "parallel",
      value: "number",
      description: "Number of members that this process runs at the same time",
      default: String(workerParallel),
    },
    { name: "stay", description: "Wait for more fleet runs until you press Ctrl-C" },
  ],
  examples: [
    { command: "voxctl fleet work" },
    { command: "voxctl fleet work --parallel 8 --stay", note: "As a service" },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => workForFleets(session, input)),
};

async function workForFleets(session: Session, input: Input): Promise<void> {
  const parallel = parseCount(input.text("parallel") ?? String(workerParallel), "--parallel");
  const settings = await readStoreSettings(session);
  if (settings === undefined)
    throw usageError("fleet work requires a store, but none is selected", {
      hint: "set VOXCTL_STORE, or run the fleet on this machine: `voxctl fleet run -- COMMAND`",
    });
  await removeOldLogs(session);
  const how = { parallel, stays: input.on("stay") === true };
  await withSharedFleets(session, settings, "fleet work", (shared) =>
    workWithStore(session, settings, shared, how),
  );
}

interface Helped {
  headline: string;
  accesses: ReadonlyMap<string, MemberAccess>;
  run: ReturnType<typeof createMemberRunner>["run"];
  printer: ReturnType<typeof createEventPrinter>;
}

async function workWithStore(
  session: Session,
  settings: StoreSettings,
  shared: SharedFleets,
  how: { parallel: number; stays: boolean },
): Promise<void> {
  const { runFleets } = await import("../index.js");
  const { clock, notes, signal } = session;
  const { tables, variables } = shared;
  const interrupt = new AbortController();
  const helped = new Map<string, Helped>();
  const own = new Set<string>();
  let done = 0;
  let refusal: CliError | undefined;
  const host = createSharedHost(shared, {
    ...listHow(session, settings),
    list: tables.listRunning,
    async accepts(stored, fleet) {
      try {
        const prepared = await prepareFleet(session, stored, fleet, interrupt.signal);
        if (helped.get(stored.id)?.headline !== prepared.headline) notes.note(prepared.headline);
        helped.set(stored.id, prepared);
        return true;
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        const reasons = error.details.map(({ message }) => `; ${message}`).join("");
        notes.warn(`not running any member of fleet run ${stored.id}: ${error.message}${reasons}`);
        refusal ??= error;
        return false;
      }
    },
  });
  const work = () =>
    runFleets({
      ...{ host, clock, signal, ...how, stopsFleets: false },
      runMember(member, onProcess) {
        const { fleet, row } = member;
        const { accesses, run } = getHelped(helped, fleet.id);
        own.add(`${fleet.id}/${row.name}`);
        return run(member, onProcess, {
          ...{ access: accesses.get(row.name), variables, checksOrganization: true },
          openFolder: () => openMemberFolder(session, tables, fleet.id, row),
          findRuns: () => tables.findRuns(fleet.id, row.name),
        });
      },
      isGivenBack: (member, end) => interrupt.signal.aborted && isResumable(member, end),
      onEvent(fleet, event) {
        if (event.event === "ended" && own.has(`${fleet.id}/${event.member}`)) done += 1;
        getHelped(helped, fleet.id).printer.print(event);
      },
    });
  await session.awaitProgram(work, () => {
    notes.note("Interrupting the running members, so that other workers can continue them…");
    interrupt.abort();
  });
  for (const { printer } of helped.values()) await printer.flush();
  if (refusal !== undefined && helped.size === 0) throw refusal;
  notes.note(
    `${signal.aborted ? "Stopped" : "No more work"}: this process ran ${formatCount(done, "member")}`,
  );
}

function getHelped(helped: ReadonlyMap<string, Helped>, id: string): Helped {
  const match = helped.get(id);
  if (match === undefined) throw new Error(`fleet run ${id} was not accepted`);
  return match;
}

/**
 * Reads all keys before the first member runs.
 * @throws CliError with exit code 12 if another version of voxctl started the run, 3 if a key is missing
 */
async function prepareFleet(
  session: Session,
  stored: StoredFleet,
  fleet: SharedFleet,
  interrupt: AbortSignal,
): Promise<Helped> {
  const { formatPlace } = await import("../../../store/index.js");
  const { id, about, driver } = stored;
  if (about.version !== version) throw refusedError("version_differs", describeVersion(stored));
  const rows = await fleet.listRows();
  const accesses = await resolveRows(session, rows);
  const open = rows.filter(({ state }) => state === "waiting" || state === "running");
  const wave = Math.min(...open.map((row) => row.wave)) + 1;
  return {
    headline: `Fleet run ${id}: ${formatCount(rows.length, "member")}${open.length === 0 ? "" : `, wave ${wave} of ${fleet.about.waves.length}`}${driver === undefined ? "" : `, coordinated by ${formatPlace(driver)}`}`,
    accesses,
    run: createMemberRunner(session, { keyVariables: listKeyVariables(rows), interrupt }).run,
    printer: createEventPrinter(session, id, fleet.about),
  };
}

function isResumable({ fleet }: TakenMember, { exit }: MemberEnd): boolean {
  return fleet.about.is_journaled && (exit === exits.interrupted || exit === exits.terminated);
}
