import type { MspItems, PlanItem } from "../../bulk/provisioning/index.js";
import { createBulkProgress } from "../bulk-progress.js";
import type { Command } from "../command.js";
import { CliError, exits } from "../errors.js";
import { reportOf } from "../exit-codes.js";
import { differingText, kindsText, planLines, summaryText } from "../presentation/provisioning.js";
import type { Session } from "../session.js";
import { escapeControl } from "../text.js";
import { missingLicenseHint, readPlan, refuse } from "./orgs-provision-plan.js";

type Results = Record<"created" | "exists" | "differs" | "conflicts", number>;

function settledOf({ created, exists, differs, conflicts }: Results): number {
  return created + exists + differs + conflicts;
}

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

It is checked whole before anything is sent, shown, and done in its order. What exists is compared and never changed; where it differs, or can't be created, the command ends with 10. Cut anywhere, the same command goes on where it was.`,
  arguments: [{ name: "plan", description: "the file; - for YAML on standard input" }],
  flags: [{ name: "dry-run", description: "show the plan beside what is there, and send nothing" }],
  examples: [
    { command: "voxctl orgs provision plan.yaml --dry-run" },
    { command: "voxctl orgs provision plan.csv --dry-run" },
    { command: "voxctl orgs provision plan.yaml --yes -o json" },
  ],
  async run(session, input) {
    const file = input.arguments[0] ?? "";
    const dryRun = input.on("dry-run") === true;
    const plan = await readPlan(file, session);
    const { comparePlan, doubtsOf, executePlan, readInventory } = await import(
      "../../bulk/provisioning/index.js"
    );
    const { live } = session.notes;
    const { client, clock, profile } = await session.connect({ mutates: !dryRun, quiet: live });
    const progress = createBulkProgress(session.notes, session.clock, clock);
    const options = {
      signal: session.signal,
      // A bulk run: waiting for the limit is what it is for.
      maxWaitMilliseconds: session.flags.maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
    };
    progress.activity("reading what is there");
    const inventory = await readInventory(client, plan, options).finally(() => progress.end());
    const { msps, problems } = comparePlan(plan, inventory);
    const doubts = doubtsOf(msps);
    // The contract's forms of ids and names are sure of the emulator only: a deployment judges its own.
    const isSure = profile.kind === "offline";
    const hint = problems.length > 0 ? missingLicenseHint(file) : undefined;
    refuse(file, isSure ? [...problems, ...doubts] : problems, hint);
    for (const { at, message } of doubts) {
      session.notes.warn(`${file}: ${at}: ${message}, as far as is known: the service may refuse it`);
    }
    const items = msps.flatMap(({ msp, licenses, customers }) => [msp, ...licenses, ...customers]);
    const toCreate = items.filter((item) => item.action === "create");

    if (dryRun) {
      await showPlan(session, msps, items);
      session.notes.note("dry run: nothing was sent");
      throwDiffering(items, "none");
      return;
    }
    for (const line of planLines(msps)) session.notes.note(line);
    if (toCreate.length > 0) await session.confirm(`Create ${kindsText(toCreate)}?`, { loses: false });

    const done: Results = { created: 0, exists: 0, differs: 0, conflicts: 0 };
    const ids = new Map([...inventory.organizations].map(([externalId, { id }]) => [externalId, id]));
    const advance = () => {
      const settled = settledOf(done);
      if (toCreate.length > 0) {
        progress.bar({ done: settled, total: toCreate.length, intervalMilliseconds: 0 });
      }
    };
    try {
      advance();
      const ended = await executePlan(client, msps, ids, options, {
        settled(item, result) {
          done[result] += 1;
          const reason = item.differences.at(-1);
          if (result === "differs" || result === "conflicts")
            progress.warn(`${item.kind} ${item.externalId}: ${reason ?? "differs"}`);
          else session.notes.debug(`${result}: ${item.kind} ${item.externalId}`);
          advance();
        },
      });
      progress.end({ keep: true });
      await showResult(session, ended, toCreate);
      throwDiffering(ended, done.created > 0 ? "done" : "none");
    } catch (error) {
      progress.end();
      const left = toCreate.length - settledOf(done);
      const advice = left > 0 ? onwardsText(error, session, done.created, toCreate.length) : "";
      if (advice !== "") session.notes.warn(advice);
      throw error;
    }
  },
};

/** What a run that was cut has done, and how it goes on: what the service refused it would refuse again. */
function onwardsText(error: unknown, { signal }: Session, created: number, planned: number): string {
  const isRefused = reportOf(error, signal)?.exit === exits.rejected;
  const made = created > 0 ? [`${created} of ${planned} were created before this`] : [];
  if (isRefused)
    return [...made, ...(created > 0 ? ["mend the plan and run it again to go on"] : [])].join("; ");
  return [...made, "run the same command again to go on"].join("; ");
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

const itemFields = ["kind", "external_id", "msp", "name", "license", "product", "differences"];

/** In the plan's own words. */
function shownItem({ kind, externalId, msp, name, license, product, differences }: PlanItem) {
  return { kind, external_id: externalId, msp, name, license, product, differences };
}

/** After a run: what was created, what was there, what differs. */
async function showResult(
  session: Session,
  items: readonly PlanItem[],
  planned: readonly PlanItem[],
): Promise<void> {
  const count = (action: PlanItem["action"]) => items.filter((item) => item.action === action).length;
  const result = {
    created: count("create"),
    existing: count("exists"),
    differing: count("differs"),
    conflicting: count("conflicts"),
  };
  if (session.output.format === "table") {
    if (planned.length === 0) {
      session.notes.note(
        result.differing + result.conflicting === 0
          ? "everything is there already; nothing was sent"
          : "nothing is to be created; nothing was sent",
      );
    }
    await session.output.item(result);
    return;
  }
  const ended = items.map((item) => ({
    result: item.action === "create" ? "created" : item.action,
    ...shownItem(item),
  }));
  await session.output.item({ ...result, items: ended });
}

/**
 * @param outcome of the command, whatever differs
 * @throws differences error (10)
 */
function throwDiffering(items: readonly PlanItem[], outcome: "none" | "done"): void {
  const differing = items.filter(({ action }) => action === "differs" || action === "conflicts");
  if (differing.length === 0) return;
  throw new CliError({
    exit: exits.differences,
    code: "differences",
    message: differingText(differing),
    details: differing.map((item) => ({ path: [item.externalId], message: item.differences.join("; ") })),
    outcome,
  });
}
