import { capitalize } from "../../../base/text.js";
import { bulkFlags, readBulkFlags } from "../../../cli/bulk/bulk-flags.js";
import { lostCalls } from "../../../cli/bulk/lost-calls.js";
import {
  formatCommandWords,
  type PlanOutput,
  readPlanOutput,
  sealFlags,
  sealOrganizationSteps,
} from "../../../cli/bulk/plan-file.js";
import {
  assertAsSpecified,
  itemFields,
  showProvisioned,
  toShownItem,
} from "../../../cli/bulk/provisioning-result.js";
import {
  countChanges,
  formatOrganization,
  formatSpecLines,
  formatSummary,
  formatTypeCounts,
} from "../../../cli/bulk/provisioning-text.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { getSettleTime, withBulkRun } from "../../../cli/bulk/run.js";
import { withRunsFolder } from "../../../cli/bulk/store.js";
import { isTableOutput, noteSealed } from "../../../cli/bulk/summary.js";
import { createBulkTarget, getRunsFolder } from "../../../cli/bulk/target.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import { createBulkProgress, durationText } from "../../../cli/terminal/progress.js";
import { createClient } from "../../../client/client.js";
import type { Inventory, OrganizationSpec, PlanItem, Planned, Prune } from "../index.js";
import { assertNoSpecProblems, getMissingLicenseHint, readOrganizationSpec } from "./organization-spec.js";

const flags: readonly Flag[] = [
  { name: "dry-run", description: "Compare the spec with the current organizations without making changes" },
  { name: "all", description: "Also list organizations that match the spec" },
  {
    name: "converge",
    description: "Update the licenses' products, statuses and assignments to match the spec",
  },
  {
    name: "prune",
    value: "adopted",
    joined: true,
    description:
      "Delete organizations that earlier runs of this spec created and that the spec no longer contains; requires a `name` in the spec. `adopted` also deletes customers that others created for the spec's MSPs",
  },
  {
    name: "max-delete",
    value: "number|percent",
    description: "Stop (exit code 12) if the number of organizations to delete exceeds this limit",
    default: "10% of the affected organizations, at least 1 and at most 200",
  },
  ...sealFlags,
  ...bulkFlags,
  { name: "new-run", description: "Start a new run instead of resuming an earlier one" },
];

export const provision: Command = {
  name: "provision",
  summary: "Create MSPs, licenses and customers from a file",
  description: `The file is an organization spec in YAML:

  name: our-customers
  msps:
    - external_id: elbe
      name: Elbe Systemhaus
      license: {id: elbe-base, product: MSP}
      licenses: [elbe-001, {id: elbe-002, product: Standard}]
      customers:
        - {external_id: optik-lange, name: Optik Lange, license: elbe-001}

or a table (CSV, TSV, XLSX), with each license ID in the license column:

  type,external_id,name,parent,license,product,status
  msp,elbe,Elbe Systemhaus,,elbe-base,MSP,
  license,,,elbe,elbe-001,,
  license,,,elbe,elbe-002,Standard,available
  customer,optik-lange,Optik Lange,elbe,elbe-001,,

A license's status is available or disabled (default: available). A product is a name from your contract; voxctl doesn't check it. The product is optional: without it, an existing license keeps its product.

voxctl checks the whole spec, shows the changes, and creates the missing organizations in order. Existing organizations are compared with the spec. If an organization differs or can't be created, the command prints a fix and exits with code 10. MSPs that are not in the spec are listed with "?".

With --converge, voxctl also updates each license's product and status, and each organization's license. Names, types and a customer's MSP can't be changed.\n\nWith --prune, voxctl deletes organizations that the spec no longer contains, if an earlier run of a spec with the same \`name\` created them. Licenses that the spec no longer contains are disabled if such a run added them or a deleted customer held them, and no organization holds them: a license can be deleted only together with its MSP.\n\nWith --prune=adopted, voxctl also deletes customers that others created for the spec's MSPs.\n\nThe calls of deleted organizations may no longer be counted in usage and billing.

To resume an interrupted run, run the same command again. To revert it, run \`voxctl runs undo RUN\`.`,
  arguments: [{ name: "spec", description: "Organization spec; - reads YAML from standard input" }],
  flags,
  confirms: true,
  examples: [
    { command: "voxctl orgs provision spec.yaml --dry-run" },
    { command: "voxctl orgs provision spec.csv --dry-run" },
    { command: "voxctl orgs provision spec.yaml --yes -o json" },
    { command: "voxctl orgs provision spec.yaml --converge --prune --dry-run", note: "Preview" },
    {
      command: "voxctl orgs provision spec.yaml --converge --plan change.plan",
      note: "Save the changes for review",
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
    const bulk = await import("../index.js");
    const { parseBound } = await import("../../import/index.js");
    const { bulkClientOptions, createRequestStats } = await import("../../../write/index.js");
    const convergence = readConvergence(input, spec, file);
    const connection = await session.connect({ mutates: isSending, quiet: true });
    const { profile } = connection;
    const target = await createBulkTarget(session, connection, getRunsFolder(session), "distributor-v2");
    const { signal } = session;
    const { maxWaitMilliseconds } = session.flags;
    // Counts requests, and identifies the emulator from its responses.
    const stats = createRequestStats();
    let prune: Prune | undefined;
    const inventory = await readWithProgress(session, connection, (listener) =>
      bulk.readInventory(
        {
          // Wait for the rate limit, as all bulk runs do.
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
            const { name } = spec;
            const { baseUrl } = target;
            const made = await withRunsFolder(target, (folder) =>
              bulk.readMade({ folder, baseUrl, emulatorId: stats.emulatorId, name }),
            );
            prune = { made, adopted: convergence.adopted };
            return bulk.candidateMsps(spec, organizations, prune);
          },
        },
      ),
    );
    const converge = convergence?.converge === true;
    const planned = bulk.planRun(spec, inventory, { converge, prune });
    const { errors, warnings } = bulk.checkNewValues(planned.msps);
    // The emulator rejects the IDs and names in `warnings`. Another service might accept them.
    const isSure = profile.type === "offline";
    const [problem] = planned.problems;
    const hint = problem && (problem.hint ?? getMissingLicenseHint(file));
    const problems = [...planned.problems, ...errors];
    assertNoSpecProblems(file, isSure ? [...problems, ...warnings] : problems, hint);
    for (const { at, message } of warnings) {
      session.notes.warn(`${file}: ${at}: ${message}; the service may reject it`);
    }
    const items = [...planned.items.map(({ item }) => item), ...planned.extras];
    // Nothing was printed with --quiet, so the error must list all differences.
    const shown = session.flags.quiet ? [] : items;
    const showEqual = input.on("all") === true;
    const text = input.text("max-delete");

    await withRefusals(async () => {
      const bound = text === undefined ? undefined : parseBound(text, "--max-delete");
      if (dryRun) await showSpec(session, items, showEqual);
      else for (const line of formatSpecLines(items, { showEqual })) session.notes.note(line);
      bulk.assertDeletes(bound, spec, planned, inventory);
      if (dryRun) {
        session.notes.note("Dry run: no changes were made.");
        assertAsSpecified(session, items, { isPartly: false, shown: items });
        return;
      }
      if (output !== undefined) {
        await sealPlanned(session, output, { spec, planned, inventory, baseUrl: target.baseUrl });
        assertAsSpecified(session, items, { isPartly: false, shown });
        return;
      }
      await confirmPlanned(session, bulk.countedItems(items));
      const command = `orgs provision ${file}`;
      const result = await withBulkRun(
        target,
        { settleMilliseconds, outageMilliseconds, command },
        async (context) => {
          // Send a request first, because the run is stored under the emulator ID that the response contains.
          await context.client.call("orgs.list", {}, { signal: session.signal });
          const known = { inventory, planned };
          const newRun = input.on("new-run") === true;
          const { random } = session;
          const run = { file, profile: profile.name, command: "orgs provision", newRun, random };
          const summary = await bulk.provision(context, { spec, known, options: convergence, ...run });
          return bulk.readProvisioned(context, summary);
        },
      );
      await showProvisioned(session, result, shown);
    });
  },
};

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
  const { anchorsIn, provisionSteps } = await import("../index.js");
  const { name } = spec;
  const facts = {
    target: { base_url: baseUrl, anchors: anchorsIn(inventory), surface: "distributor-v2" },
    ...(name === undefined ? {} : { provision: { name } }),
  };
  const steps = provisionSteps(planned, inventory);
  const words = steps.some(({ op }) => op === "orgs.delete") ? ["orgs:delete"] : [];
  const sealed = { ...(await sealOrganizationSteps(session, output, facts, steps)), words };
  if (!isTableOutput(session))
    await session.output.item({ plan: sealed.file, plan_id: sealed.id, steps: sealed.steps });
  noteSealed(session.notes, sealed);
}

/** @throws usage error (exit code 2) if --prune is used and the spec has no name */
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
    throw usageError(`--prune requires a spec with a name, but ${file} has none`, {
      hint: 'in a YAML file, add a line such as "name: our-customers" above msps:',
    });
  }
  return converge || prune ? { converge, prune, adopted } : null;
}

const maxNamed = 10;

/** @throws refused error (exit code 12) */
async function confirmPlanned(session: Session, items: readonly PlanItem[]): Promise<void> {
  const filterByAction = (action: PlanItem["action"]) => items.filter((item) => item.action === action);
  const deleted = filterByAction("delete");
  const { update, reassign } = countChanges(filterByAction("change"));
  const named = deleted.slice(0, maxNamed).map((item) => formatOrganization(item));
  const more = deleted.length > named.length ? `; and ${deleted.length - named.length} more` : "";
  const parts = [
    ...(filterByAction("create").length > 0 ? [`create ${formatTypeCounts(filterByAction("create"))}`] : []),
    ...(update === "nothing" ? [] : [`update ${update}`]),
    ...(reassign === "nothing" ? [] : [`reassign the ${reassign}`]),
    ...(deleted.length > 0
      ? [`delete ${formatTypeCounts(deleted)} with their contents: ${named.join("; ")}${more}`]
      : []),
  ];
  if (parts.length === 0) return;
  const question = `${parts.join(", ")}?`;
  const loss = deleted.length > 0 ? ` ${lostCalls}` : "";
  await session.confirm(`${capitalize(question)}${loss}`, {
    loses: deleted.length > 0,
  });
}

export async function readWithProgress<T>(
  session: Session,
  { clock }: Connection,
  read: (listener: { rereading(milliseconds: number, because: string): void }) => Promise<T>,
): Promise<T> {
  const progress = createBulkProgress(session.notes, session.clock, clock);
  progress.activity("Reading the organizations");
  try {
    return await read({
      rereading: (milliseconds, because) =>
        progress.note(
          `Waiting ${durationText(milliseconds)} before reading the organizations again (${because})…`,
        ),
    });
  } finally {
    progress.end();
  }
}

async function showSpec(session: Session, items: readonly PlanItem[], showEqual: boolean): Promise<void> {
  if (session.output.format === "table") {
    await session.output.lines(formatSpecLines(items, { showEqual }));
    const { countedItems } = await import("../index.js");
    session.notes.note(formatSummary(countedItems(items)));
    return;
  }
  const rows = items.map((item) => ({ action: item.action, ...toShownItem(item) }));
  await session.output.list(rows, { columns: [], fields: ["action", ...itemFields] });
}
