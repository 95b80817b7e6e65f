import { escapeControl } from "../../../base/text.js";
import type { MspItems, PlanItem } from "../../../bulk/provisioning/index.js";
import { createClient } from "../../../client/client.js";
import type { Command } from "../../session/command.js";
import type { Connection, Session } from "../../session/session.js";
import { createBulkProgress, durationText } from "../../terminal/progress.js";
import { bulkFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { itemFields, shownItem, showProvisioned, throwUnlike } from "../bulk/provisioning-result.js";
import { kindsText, planLines, summaryText } from "../bulk/provisioning-text.js";
import { settleTime, withBulkRun } from "../bulk/run.js";
import { bulkTarget, runsFolder, withRefusals } from "../bulk/session.js";
import { missingLicenseHint, readPlan, refuse } from "./provision-plan.js";

export const provision: Command = {
  name: "provision",
  summary: "Create what a plan of MSPs, licenses and customers says",
  description: `The plan is YAML:

  msps:
    - external_id: elbe
      name: Elbe Systemhaus
      license: {id: elbe-base, product: MSP}
      licenses: [elbe-001, {id: elbe-002, product: Standard}]
      customers:
        - {external_id: optik-lange, name: Optik Lange, license: elbe-001}

or a table (CSV, TSV, XLSX), with the id of a license always in the column license:

  type,external_id,name,parent,license,product
  msp,elbe,Elbe Systemhaus,,elbe-base,MSP
  license,,,elbe,elbe-001,
  license,,,elbe,elbe-002,Standard
  customer,optik-lange,Optik Lange,elbe,elbe-001,

It is checked whole before anything is sent, shown, and done in its order. What exists is compared and never changed; where it differs, or can't be created, the command ends with 10. Cut anywhere, the same command goes on where it was; runs list shows it, and runs undo takes it back.`,
  arguments: [{ name: "plan", description: "the file; - for YAML on standard input" }],
  flags: [
    { name: "dry-run", description: "show the plan beside what is there, and send nothing" },
    ...bulkFlags,
    { name: "new-run", description: "start afresh instead of going on with an unfinished run" },
  ],
  examples: [
    { command: "voxctl orgs provision plan.yaml --dry-run" },
    { command: "voxctl orgs provision plan.csv --dry-run" },
    { command: "voxctl orgs provision plan.yaml --yes -o json" },
  ],
  verdict: true,
  async run(session, input) {
    const file = input.arguments[0] ?? "";
    const dryRun = input.on("dry-run") === true;
    const plan = await readPlan(file, session);
    const { settleMilliseconds, outageMilliseconds } = readBulkFlags(input);
    const bulk = await import("../../../bulk/provisioning/index.js");
    const connection = await session.connect({ mutates: !dryRun, quiet: true });
    const { profile } = connection;
    const target = bulkTarget(session, connection, runsFolder(session), "distributor-v2");
    const { bulkClientOptions, createRequestStats } = await import("../../../bulk/index.js");
    const { signal } = session;
    const { maxWaitMilliseconds } = session.flags;
    // Its answers name an emulator's world.
    const stats = createRequestStats();
    const inventory = await readThere(session, connection, (listener) =>
      bulk.readInventory(
        {
          // A bulk run: waiting for the limit is what it is for.
          client: createClient(
            bulkClientOptions(connection.clientOptions, stats, { signal, maxWaitMilliseconds }),
          ),
          clock: connection.clock,
          signal,
          get settleMilliseconds() {
            return settleMilliseconds ?? settleTime(target);
          },
          listener,
        },
        plan,
      ),
    );
    const { msps, problems } = bulk.comparePlan(plan, inventory);
    const warnings = bulk.validationWarnings(msps);
    // The contract's forms of ids and names are sure of the emulator only: a deployment judges its own.
    const isSure = profile.kind === "offline";
    const hint = problems.length > 0 ? missingLicenseHint(file) : undefined;
    refuse(file, isSure ? [...problems, ...warnings] : problems, hint);
    for (const { at, message } of warnings) {
      session.notes.warn(`${file}: ${at}: ${message}, as far as is known: the service may refuse it`);
    }
    const items = msps.flatMap(({ msp, licenses, customers }) => [msp, ...licenses, ...customers]);
    const toCreate = items.filter((item) => item.action === "create");

    if (dryRun) {
      await showPlan(session, msps, items);
      session.notes.note("dry run: nothing was sent");
      throwUnlike(items, "none");
      return;
    }
    for (const line of planLines(msps)) session.notes.note(line);
    if (toCreate.length > 0) await session.confirm(`Create ${kindsText(toCreate)}?`, { loses: false });

    await withRefusals(async () => {
      const command = `orgs provision ${file}`;
      const end = await withBulkRun(
        target,
        { settleMilliseconds, outageMilliseconds, command },
        async (context) => {
          // Its answer names an emulator's world.
          await context.client.call("orgs.list", {}, { signal: session.signal });
          const known = { inventory, msps };
          const newRun = input.on("new-run") === true;
          return bulk.provision(context, { plan, file, profile: profile.name, newRun, known });
        },
      );
      await showProvisioned(session, end);
    });
  },
};

/** Reads what is there; a person sees that it takes its time. */
async function readThere<T>(
  session: Session,
  { clock }: Connection,
  read: (listener: { rereading(milliseconds: number, because: string): void }) => Promise<T>,
): Promise<T> {
  const progress = createBulkProgress(session.notes, session.clock, clock);
  progress.activity("reading what is there");
  try {
    return await read({
      rereading: (milliseconds, because) =>
        progress.note(`${because}: what is there is read again in ${durationText(milliseconds)}`),
    });
  } finally {
    progress.end();
  }
}

async function showPlan(
  session: Session,
  msps: readonly MspItems[],
  items: readonly PlanItem[],
): Promise<void> {
  if (session.output.format === "table") {
    await session.output.text(
      planLines(msps)
        .map((line) => `${escapeControl(line)}\n`)
        .join(""),
    );
    session.notes.note(summaryText(items));
    return;
  }
  const rows = items.map((item) => ({ action: item.action, ...shownItem(item) }));
  await session.output.list(rows, { columns: [], fields: ["action", ...itemFields] });
}
