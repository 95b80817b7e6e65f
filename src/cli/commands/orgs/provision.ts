import type {
  Inventory,
  OrganizationSpec,
  PlanItem,
  Planned,
  Prune,
} from "../../../bulk/provisioning/index.js";
import { createClient } from "../../../client/client.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Connection, Session } from "../../session/session.js";
import { createBulkProgress, durationText } from "../../terminal/progress.js";
import { bulkFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import {
  formatCommandWords,
  type PlanOutput,
  readPlanOutput,
  sealFlags,
  sealOrganizationSteps,
} from "../bulk/plan-file.js";
import { assertAsSpecified, itemFields, showProvisioned, toShownItem } from "../bulk/provisioning-result.js";
import {
  formatOrganization,
  formatSpecLines,
  formatSummary,
  formatTypeCounts,
} from "../bulk/provisioning-text.js";
import { withRefusals } from "../bulk/refusals.js";
import { getSettleTime, withBulkRun } from "../bulk/run.js";
import { noteSealed } from "../bulk/summary.js";
import { createBulkTarget, getRunsFolder } from "../bulk/target.js";
import { assertNoSpecProblems, getMissingLicenseHint, readOrganizationSpec } from "./organization-spec.js";

const flags: readonly Flag[] = [
  { name: "dry-run", description: "Compare the spec with the current organizations without making changes" },
  { name: "all", description: "Also list what is as specified" },
  {
    name: "converge",
    description: "change products, states and holders of licenses to what the plan says",
  },
  {
    name: "prune",
    value: "adopted",
    joined: true,
    description:
      "Delete organizations that runs of a spec of this name created and that it no longer has; adopted deletes any customer of its MSPs that it doesn't have",
  },
  {
    name: "max-delete",
    value: "number|percent",
    description: "refuse (12) where more organizations than this would be deleted",
    default: "10% of those that the plan has to do with, at least 1, at most 200",
  },
  ...sealFlags,
  ...bulkFlags,
  { name: "new-run", description: "start afresh instead of going on with an unfinished run" },
];

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

It is checked whole before anything is sent, shown, and done in its order. What exists is compared; where it differs, or can't be created, the command ends with 10 and says what would help. What is there and not in the plan is listed (?), and what is as planned only with --all.

--converge also changes what the interface can change: a license's product, its state (status: disabled in the plan; without it, it is to be usable), and which license an organization holds. Names, types and a customer's MSP can't be changed. --prune deletes organizations that runs of a plan of this name: made here, in this data folder, and that the plan does not have any more, customers first, and disables their licenses, which can't be deleted; a license that another organization holds stays. --prune=adopted deletes any customer under an MSP of the plan, whoever made it. Cut anywhere, the same command goes on where it was; runs list shows it, and runs undo takes it back.`,
  arguments: [{ name: "plan", description: "the file; - for YAML on standard input" }],
  flags,
  examples: [
    { command: "voxctl orgs provision plan.yaml --dry-run" },
    { command: "voxctl orgs provision plan.csv --dry-run" },
    { command: "voxctl orgs provision plan.yaml --yes -o json" },
    { command: "voxctl orgs provision plan.yaml --converge --prune --dry-run", note: "what would go" },
    {
      command: "voxctl orgs provision plan.yaml --converge --plan change.plan",
      note: "for a review; voxctl apply carries it out",
    },
  ],
  verdict: true,
  async run(session, input) {
    const file = input.arguments[0] ?? "";
    const dryRun = input.on("dry-run") === true;
    const typed = formatCommandWords(["orgs", "provision"], input, flags);
    const output = readPlanOutput(session, input, file, typed);
    const isSending = !dryRun && output === undefined;
    const spec = await readOrganizationSpec(file, session);
    const { settleMilliseconds, outageMilliseconds } = readBulkFlags(input);
    const bulk = await import("../../../bulk/provisioning/index.js");
    const { bulkClientOptions, createRequestStats, parseBound } = await import("../../../bulk/index.js");
    const convergence = readConvergence(input, spec, file);
    const connection = await session.connect({ mutates: isSending, quiet: true });
    const { profile } = connection;
    const target = createBulkTarget(session, connection, getRunsFolder(session), "distributor-v2");
    const { signal } = session;
    const { maxWaitMilliseconds } = session.flags;
    // The responses identify the emulator state.
    const stats = createRequestStats();
    let prune: Prune | undefined;
    const inventory = await readWithProgress(session, connection, (listener) =>
      bulk.readInventory(
        {
          // A bulk run: waiting for the limit is what it is for.
          client: createClient(
            bulkClientOptions(connection.clientOptions, stats, { signal, maxWaitMilliseconds }),
          ),
          clock: connection.clock,
          signal,
          get settleMilliseconds() {
            return settleMilliseconds ?? getSettleTime(target);
          },
          listener,
        },
        spec,
        {
          findMoreMsps: async (organizations) => {
            if (spec.name === undefined || convergence?.prune !== true) return [];
            const { folder, baseUrl } = target;
            const made = await bulk.readMade({
              folder,
              baseUrl,
              emulatorId: stats.emulatorId,
              name: spec.name,
            });
            prune = { made, adopted: convergence.adopted };
            return bulk.candidateMsps(spec, organizations, prune);
          },
        },
      ),
    );
    const converge = convergence?.converge === true;
    const planned = bulk.planRun(spec, inventory, { converge, prune });
    const warnings = bulk.validationWarnings(planned.msps);
    // The contract's forms of ids and names are sure of the emulator only: a deployment judges its own.
    const isSure = profile.type === "offline";
    const hint = planned.problems.length > 0 ? getMissingLicenseHint(file) : undefined;
    assertNoSpecProblems(file, isSure ? [...planned.problems, ...warnings] : planned.problems, hint);
    for (const { at, message } of warnings) {
      session.notes.warn(`${file}: ${at}: ${message}, as far as is known: the service may refuse it`);
    }
    const items = [...planned.items.map(({ item }) => item), ...planned.extras];
    const showEqual = input.on("all") === true;
    const text = input.text("max-delete");

    await withRefusals(async () => {
      const bound = text === undefined ? undefined : parseBound(text, "--max-delete");
      if (dryRun) await showSpec(session, items, showEqual);
      else for (const line of formatSpecLines(items, { showEqual })) session.notes.note(line);
      bulk.assertDeletes(bound, spec, planned, inventory);
      if (dryRun) {
        session.notes.note("dry run: nothing was sent");
        assertAsSpecified(items, "none");
        return;
      }
      if (output !== undefined) {
        await sealPlanned(session, output, { spec, planned, inventory, baseUrl: target.baseUrl });
        assertAsSpecified(items, "none");
        return;
      }
      await confirmPlanned(session, planned);
      const command = `orgs provision ${file}`;
      const end = await withBulkRun(
        target,
        { settleMilliseconds, outageMilliseconds, command },
        async (context) => {
          // The response identifies the emulator state.
          await context.client.call("orgs.list", {}, { signal: session.signal });
          const known = { inventory, planned };
          const newRun = input.on("new-run") === true;
          return bulk.provision(context, { spec, file, profile: profile.name, newRun, known, convergence });
        },
      );
      await showProvisioned(session, end);
    });
  },
};

/** Seals what would be sent, and says how much that is. */
async function sealPlanned(
  session: Session,
  output: PlanOutput,
  {
    spec,
    planned,
    inventory,
    baseUrl,
  }: { spec: OrganizationSpec; planned: Planned; inventory: Inventory; baseUrl: string },
): Promise<void> {
  const { anchorsIn, provisionSteps } = await import("../../../bulk/provisioning/index.js");
  const { name } = spec;
  const facts = {
    target: { base_url: baseUrl, anchors: anchorsIn(inventory), surface: "distributor-v2" },
    ...(name === undefined ? {} : { provision: { name } }),
  };
  const steps = provisionSteps(planned, inventory);
  const words = steps.some(({ op }) => op === "orgs.delete") ? ["orgs:delete"] : [];
  const sealed = { ...(await sealOrganizationSteps(session, output, facts, steps)), words };
  await session.output.item({ plan: sealed.file, plan_id: sealed.id, steps: sealed.steps });
  noteSealed(session.notes, sealed);
}

/** @throws usage error (2) where the plan has no name to prune by */
function readConvergence(
  input: Input,
  spec: OrganizationSpec,
  file: string,
): { converge: boolean; prune: boolean; adopted: boolean } | null {
  const typed = input.text("prune");
  const prune = typed !== undefined;
  const adopted = typed === "adopted";
  if (prune && !adopted && typed !== "*")
    throw usageError(`invalid --prune=${typed}: expected --prune or --prune=adopted`);
  const converge = input.on("converge") === true;
  if (prune && spec.name === undefined) {
    throw usageError(`invalid --prune: ${file} has no name, which identifies resources of earlier runs`, {
      hint: "add a name above msps:, such as name: our-customers; this requires a YAML file",
    });
  }
  return converge || prune ? { converge, prune, adopted } : null;
}

/** Organizations that a question names. */
const maxNamed = 10;

/**
 * Asks before anything is created, changed or deleted; who goes is named with status and license.
 * @throws refused error (12)
 */
async function confirmPlanned(session: Session, { items }: Planned): Promise<void> {
  const filterByAction = (action: PlanItem["action"]) =>
    items.flatMap(({ item }) => (item.action === action ? [item] : []));
  const deleted = filterByAction("delete");
  const named = deleted.slice(0, maxNamed).map((item) => formatOrganization(item));
  const more = deleted.length > named.length ? `; and ${deleted.length - named.length} more` : "";
  const parts = [
    ...(filterByAction("create").length > 0 ? [`create ${formatTypeCounts(filterByAction("create"))}`] : []),
    ...(filterByAction("change").length > 0 ? [`change ${formatTypeCounts(filterByAction("change"))}`] : []),
    ...(deleted.length > 0
      ? [`delete ${formatTypeCounts(deleted)}, with all that is in them: ${named.join("; ")}${more}`]
      : []),
  ];
  if (parts.length === 0) return;
  const question = `${parts.join(", ")}?`;
  await session.confirm(`${question.charAt(0).toUpperCase()}${question.slice(1)}`, {
    loses: deleted.length > 0,
  });
}

/** Reads the current organizations and shows the progress. */
async function readWithProgress<T>(
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

async function showSpec(session: Session, items: readonly PlanItem[], showEqual: boolean): Promise<void> {
  if (session.output.format === "table") {
    await session.output.lines(formatSpecLines(items, { showEqual }));
    session.notes.note(formatSummary(items));
    return;
  }
  const rows = items.map((item) => ({ action: item.action, ...toShownItem(item) }));
  await session.output.list(rows, { columns: [], fields: ["action", ...itemFields] });
}
