import { getText } from "../../../base/fields.js";
import { formatCount, inflect } from "../../../base/text.js";
import { groupRunFlags, readBulkFlags } from "../../../cli/bulk/bulk-flags.js";
import { assertAllDone, repeatHint } from "../../../cli/bulk/outcome.js";
import {
  formatCommandWords,
  type PlanOutput,
  readPlanOutput,
  sealFlags,
} from "../../../cli/bulk/plan-file.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withBulkRun } from "../../../cli/bulk/run.js";
import { formatApplyHint } from "../../../cli/bulk/run-notes.js";
import { withStoreCopies } from "../../../cli/bulk/store-copies.js";
import type { BulkTarget } from "../../../cli/bulk/target.js";
import { getRunsFolder, openImportTarget } from "../../../cli/bulk/target.js";
import { usageError } from "../../../cli/errors/errors.js";
import { isRehearsed } from "../../../cli/profiles/profile.js";
import type { Command } from "../../../cli/session/command.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import type { EraseResult, ErasureDecision, LocalErased, LocalFindings, Matcher, Remain } from "../index.js";
import { showErasure } from "./erasure-text.js";
import type { ErasureFacts } from "./facts.js";
import { includeFlag, readIncluded, readSubject, subjectFlags } from "./flags.js";
import {
  type LocalOptions,
  localFlags,
  noteLocalSearch,
  readLocalOptions,
  searchLocalFiles,
} from "./local.js";
import { writeReceipt } from "./receipt-file.js";
import {
  createMatchers,
  noteSearched,
  type SubjectMatchers,
  type SubjectSearch,
  searchSubject,
} from "./search.js";

const ownFlags: readonly Flag[] = [
  { name: "recordings", description: "Also erase the recordings of the caller's calls" },
  includeFlag,
  {
    name: "max-delete",
    value: "number|percent",
    description: "Stop (exit code 12) if the number of contacts to delete exceeds this limit",
    default: "10% of all contacts, at least 1 and at most 200",
  },
  {
    name: "dry-run",
    description: "Show what will be erased and what will remain, without erasing anything",
  },
  {
    name: "reference",
    value: "text",
    description: "Your case reference for the receipt; must not identify the caller",
  },
];

export const eraseSubject: Command = {
  name: "erase",
  summary: "Erase a caller's data and write a receipt",
  description:
    "Deletes contacts with the phone number or email. With --recordings, also deletes the audio of the caller's calls. With --details, " +
    "also replaces the phone number or email with [erased] in knowledge items and prompts.\n\nErasures can't be undone. The API can't erase calls: voxctl prints a message that you can send to the service's operator, and " +
    "exits with code 68 while data remains. A resource that matches only by name is kept unless --include lists its ID. " +
    "The receipt contains no personal data.",
  flags: [...subjectFlags, ...ownFlags, ...localFlags, ...sealFlags, ...groupRunFlags],
  confirms: true,
  examples: [
    { command: "voxctl subject erase --phone +491713920001 --dry-run", note: "Preview the erasure" },
    { command: "voxctl subject erase --phone +491713920001 --plan weg.plan", note: "For review" },
    {
      command:
        "voxctl subject erase --phone +491713920001 --email anna@example.org --details --recordings --reference 2026-17 --yes",
    },
    {
      command: "voxctl subject erase --phone +491713920001 --local --yes",
      note: "Also erase the data in local files",
    },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => runErase(session, input)),
};

interface Erasing {
  session: Session;
  input: Input;
  target: BulkTarget;
  matchers: SubjectMatchers;
  /** Command line for the plan file, as words. Omits the flags that identify the caller. */
  command: string[];
}

async function runErase(session: Session, input: Input): Promise<void> {
  const typed = readSubject(input);
  const isLooking = input.on("dry-run") === true;
  const command = formatCommandWords(["subject", "erase"], input, [...ownFlags, ...subjectFlags.slice(-1)]);
  const plan = readPlanOutput(session, input, "", command);
  const localOptions = readLocalOptions(session, input);
  const isSending = !isLooking && plan === undefined;
  const matchers = await createMatchers(typed);
  const reference = await readReference(input, matchers.matcher);
  const target = await openImportTarget(session, getRunsFolder(session), { dryRun: !isSending });
  const search = await searchSubject(session, matchers.matcher, { texts: input.on("details") === true });
  const decision = await decide(input, search, matchers.matcher);
  const localFindings =
    localOptions &&
    (await withStoreCopies(session, "subject erase", (copies) =>
      searchLocalFiles(session, matchers, search, localOptions, copies),
    ));
  noteSearched(session, { ...search.findings, further: search.further });
  noteLocalSearch(session, localFindings);
  const { previewLocalErasure } = await import("../index.js");
  const facts: ErasureFacts = {
    ...{ search, decision, reference, result: undefined },
    local: localFindings && previewLocalErasure(localFindings),
  };
  const erasing: Erasing = { session, input, target, matchers, command };
  if (isSending) await eraseAll(erasing, facts, { localFindings, localOptions: localOptions ?? { own: [] } });
  else await showErasurePreview(erasing, facts, plan);
}

/** @throws usage error (2) if the text in --reference identifies the caller */
async function readReference(input: Input, matcher: Matcher): Promise<string | null> {
  const { hasCaller } = await import("../index.js");
  const reference = input.text("reference") ?? null;
  if (reference !== null && hasCaller(matcher, reference))
    throw usageError("invalid --reference: it must not identify the caller");
  return reference;
}

/** @throws not found (4); BulkError `too_many_deletes`, `invalid_bound` */
async function decide(input: Input, search: SubjectSearch, matcher: Matcher): Promise<ErasureDecision> {
  const { assertErasable, decideErasure } = await import("../index.js");
  const { parseBound } = await import("../../import/index.js");
  const maxDelete = input.text("max-delete");
  const bound = maxDelete === undefined ? undefined : parseBound(maxDelete, "--max-delete");
  const include = readIncluded(input, search);
  const recordings = input.on("recordings") === true;
  const decision = decideErasure(search.findings, { matcher, include, recordings });
  const contacts = search.findings.searched.find(({ where }) => where === "contacts")?.read ?? 0;
  const deleted = decision.erasures.filter(({ action }) => action === "delete").length;
  assertErasable(bound, deleted, contacts);
  return decision;
}

async function showErasurePreview(
  erasing: Erasing,
  facts: ErasureFacts,
  plan: PlanOutput | undefined,
): Promise<void> {
  const { session } = erasing;
  const { erasures } = facts.decision;
  // Save the plan even if it is empty, because the file may contain an older plan.
  const plan_id = plan === undefined ? null : await sealErasurePlan(erasing, facts, plan);
  await showErasure(session, facts, { plan_id, isPreview: true });
  if (plan === undefined) session.notes.note("No changes were made.");
  else if (erasures.length === 0)
    session.notes.note(`Nothing to erase. Saved the empty plan ${plan_id} to ${plan.file}.`);
  else {
    const allow = erasures.some(({ action }) => action === "recording") ? " --allow recordings:delete" : "";
    session.notes.note(
      `Saved plan ${plan_id} to ${plan.file}. No changes were made. ${formatApplyHint(plan.file, allow)} Afterwards, delete the file and discard the run: both contain the data to erase.`,
    );
  }
  assertNothingRemains(facts, false);
}

function sealErasurePlan(
  { session, input, target, command }: Erasing,
  { decision }: ErasureFacts,
  { path, force, passphrase }: PlanOutput,
): Promise<string> {
  return withBulkRun(target, { ...readBulkFlags(input), command: "subject erase" }, async (context) => {
    const { sealErasure } = await import("../index.js");
    return sealErasure(context, {
      ...{ erasures: decision.erasures, path, force, passphrase, command },
      ...{ madeBy: `voxctl ${version}`, random: session.random },
    });
  });
}

async function eraseAll(
  erasing: Erasing,
  preview: ErasureFacts,
  { localFindings, localOptions }: { localFindings: LocalFindings | undefined; localOptions: LocalOptions },
): Promise<void> {
  const { session } = erasing;
  const { decision } = preview;
  const isNothing = decision.erasures.length === 0 && (preview.local?.erased.length ?? 0) === 0;
  if (!isNothing) {
    noteErasures(session, preview);
    // A rehearsal erases from a temporary copy, but also from the user's files.
    const isTemporary = isRehearsed(await session.profile()) && (preview.local?.erased.length ?? 0) === 0;
    await session.confirm(`${formatPrompt(preview)}${isTemporary ? "" : " This can't be undone."}`);
  }
  const result = decision.erasures.length === 0 ? undefined : await eraseAtService(erasing, decision);
  const failed = result === undefined ? [] : toFailed(result);
  const facts: ErasureFacts = {
    ...{ ...preview, result, decision: { ...decision, remains: [...failed, ...decision.remains] } },
    local: localFindings && (await eraseLocalFiles(erasing, localFindings, preview, localOptions)),
  };
  const receipt = await writeReceipt(session, facts);
  await showErasure(session, facts, { plan_id: result?.plan_id ?? null, receipt });
  if (result !== undefined && result.run_id !== null)
    session.notes.warn(
      `run ${result.run_id} contains the caller's data; to delete it, run \`voxctl runs discard ${result.run_id}\``,
    );
  noteRecreation(session, facts);
  const isDone = (result?.erased.length ?? 0) > failed.length || (facts.local?.erased.length ?? 0) > 0;
  assertNothingRemains(facts, isDone);
}

async function eraseAtService(
  { session, input, target, matchers }: Erasing,
  { erasures }: ErasureDecision,
): Promise<EraseResult> {
  const options = { ...readBulkFlags(input), command: "subject erase" };
  let keptRun: string | undefined;
  try {
    return await withBulkRun(target, options, async (context) => {
      const { eraseOccurrences } = await import("../index.js");
      return eraseOccurrences(context, {
        ...{ erasures, matcher: matchers.matcher, include: new Set(input.texts("include")) },
        ...{ profile: target.profile, random: session.random },
        kept: (id) => {
          keptRun = id;
        },
      });
    });
  } catch (error) {
    if (keptRun !== undefined)
      session.notes.warn(
        `run ${keptRun} contains the data to erase; once the erasure is complete, delete the run: \`voxctl runs discard ${keptRun}\``,
      );
    throw error;
  }
}

/**
 * Searches the files again, because the erasure through the API may already have changed an offline profile's
 * database.
 */
async function eraseLocalFiles(
  { session, matchers }: Erasing,
  confirmed: LocalFindings,
  { search }: ErasureFacts,
  localOptions: LocalOptions,
): Promise<LocalErased> {
  const { listCallerIds, eraseLocal, nameOfFile } = await import("../index.js");
  return withStoreCopies(session, "subject erase", async (copies) => {
    const now = await searchLocalFiles(session, matchers, search, localOptions, copies);
    const names = new Set(confirmed.files.map(nameOfFile));
    const files = now.files.filter((file) => names.has(nameOfFile(file)));
    return eraseLocal(
      { ...now, files },
      {
        dataFolder: session.folders.data,
        matcher: matchers.withIds(listCallerIds(search.findings)),
        waiting: session,
        replaceStored: copies.replace,
      },
    );
  });
}

/** An import, a sync or an undo can't know that a contact was erased. */
function noteRecreation({ notes }: Session, { result, local }: ErasureFacts): void {
  const isDeleted = result?.erased.some(
    ({ erasure, failure }) => erasure.action === "delete" && failure === undefined,
  );
  if (isDeleted !== true) return;
  const undo =
    local === undefined
      ? ". `voxctl runs undo` can also create the contact again; to erase runs, use --local"
      : "";
  notes.note(
    `An import or sync of a file that still contains the caller creates the contact again${undo}. Remove the caller from your lists.`,
  );
}

function noteErasures({ notes }: Session, { search, decision, local }: ErasureFacts): void {
  for (const { where, id, action } of decision.erasures) {
    const record = search.findings.resources.find(
      (finding) => finding.where === where && finding.id === id,
    )?.record;
    const names = ["first_name", "last_name", "name"].map((field) => getText(record ?? {}, field));
    const words = { delete: "delete", recording: "erase the recording of", redact: "redact" };
    notes.note([words[action], where, id, ...names].filter((part) => part !== "").join(" "));
  }
  for (const { area, path, what } of local?.erased ?? [])
    notes.note(`delete from ${path}: ${what} (${area})`);
}

function formatPrompt({ decision: { erasures }, local }: ErasureFacts): string {
  const count = (action: string) => erasures.filter((erasure) => erasure.action === action).length;
  const files = local?.erased.length ?? 0;
  const parts = [
    ...(count("delete") > 0 ? [`delete ${formatCount(count("delete"), "contact")}`] : []),
    ...(count("recording") > 0 ? [`erase ${formatCount(count("recording"), "recording")}`] : []),
    ...(count("redact") > 0 ? [`redact ${formatCount(count("redact"), "text")}`] : []),
    ...(files > 0 ? [`change or delete ${formatCount(files, "local file")}`] : []),
  ].join(", ");
  return `${parts[0]?.toUpperCase() ?? ""}${parts.slice(1)}?`;
}

function toFailed({ erased }: EraseResult): Remain[] {
  return erased.flatMap(({ erasure: { where, id, action }, failure }) => {
    if (failure === undefined) return [];
    const what = action === "recording" ? "the recording" : failure;
    return [{ where, id, what, why: "failed" as const, todo: `${failure}; run the same command again` }];
  });
}

/** @throws CliError with exit code 75 if erasures are unconfirmed, 68 if resources remain */
function assertNothingRemains({ decision, local, result }: ErasureFacts, isDone: boolean): void {
  const remaining = decision.remains.length + (local?.remains.length ?? 0);
  const { unknown = 0 } = result?.outcomes ?? {};
  assertAllDone(
    { unknown, remaining },
    {
      ...{ unconfirmed: formatCount(unknown, "erasure"), unconfirmedHint: repeatHint },
      message: () =>
        `${formatCount(remaining, "resource")} about the caller ${inflect(remaining, "remains", "remain")}`,
      isPartly: isDone,
      hint: "follow the next step that is listed for each resource",
    },
  );
}
