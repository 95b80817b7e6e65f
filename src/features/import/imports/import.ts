import { makePrivateFolder } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { createAdapter } from "../../../write/adapter.js";
import { noteForeignChanges } from "../../../write/answered.js";
import type { RunContext } from "../../../write/engine/context.js";
import { type PlannedRun, type RunTask, runJournaled } from "../../../write/engine/lifecycle.js";
import { openRunOf, openUnfinished, reportUnfinishedRuns } from "../../../write/engine/open.js";
import { openResultsFile } from "../../../write/engine/results-file.js";
import { countOutcomes, summaryOf, type WriteSummary } from "../../../write/engine/summary.js";
import { BulkError } from "../../../write/errors.js";
import { createExisting } from "../../../write/existing.js";
import type { Fields } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import { determinedFields, formatProblem, type InputRow, type OnMatch } from "../../../write/input-row.js";
import { resultsPathOf, withTemporaryJournal } from "../../../write/journal/folder.js";
import { identityOf, prefixOf, type RunIdentity } from "../../../write/journal/identity.js";
import type { Item } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { type RunInfo, runsAndUndosInto, runsInto } from "../../../write/journal/list.js";
import { eachIn, listResultItems } from "../../../write/journal/outcome.js";
import { findDoubled } from "../../../write/plan/doubled.js";
import { recordOf } from "../../../write/values.js";
import { importAdapterOf, matchIdentityOf } from "../adapters.js";
import { assertReplaceBounds, type ReplaceBounds } from "../planning/bounds.js";
import { readMemory } from "../planning/memory.js";
import { compareAgain, planRows } from "../planning/plan.js";
import { clearsValue } from "../planning/replace.js";
import { inputName } from "../sources/name.js";
import { type HeldKeys, type ImportKeys, type NewRunKeys, type ResumeKeys, withKeys } from "./keys.js";
import { countRowOutcomes } from "./outcomes.js";
import { importedResources } from "./rows.js";

/** Writes the planned requests to a plan file. `keys` is undefined if rows don't have the user's own keys. */
export type Seal = (
  context: RunContext,
  journal: Journal,
  identity: ImportAdapter["identity"],
  keys: ReturnType<NewRunKeys["sealed"]> | undefined,
) => Promise<void>;

export interface ImportTask {
  adapter: ImportAdapter;
  file: string;
  /** SHA-256 of the input, in hexadecimal. */
  digest: string;
  /** Undefined in a dry run if the group doesn't exist yet. */
  groupId: string | undefined;
  groupName: string;
  /** Whether the group was created for this run and is therefore empty. */
  groupIsNew: boolean;
  /**
   * Whether this command created the group, or an earlier attempt of this command created the group but was
   * killed before it wrote its journal.
   */
  groupMade: boolean;
  /** Name of the profile. It is stored in the journal, so that later commands connect to the same service. */
  profile: string;
  options: unknown;
  /** Yields all rows of the input. Each call starts with the first row. */
  rows(): AsyncIterable<InputRow>;
  keys?: ImportKeys | undefined;
  onMatch: OnMatch;
  /** Whether to reject an input that has an invalid row. */
  strict: boolean;
  dryRun: boolean;
  /** Whether to start a new run, even if an interrupted one exists. */
  newRun: boolean;
  /** Absolute path of the results file; default: a file in the results directory. */
  resultsPath: string | undefined;
  /** For a dry run: writes the planned requests to a plan file. */
  seal?: Seal | undefined;
  bounds?: ReplaceBounds | undefined;
  /** @param errorOf returns undefined for an imported row */
  writeRejects?: ((errorOf: (number: number) => string | undefined) => Promise<void>) | undefined;
  /** Data for `writeRejects` in a resumed run, as JSON. */
  rejects?: object | undefined;
}

/**
 * Imports rows into a group, or resumes an interrupted run. After a lost response, checks what the service
 * has stored before it repeats the request.
 * @throws see `runJournaled`
 */
export async function importRows(context: RunContext, task: ImportTask): Promise<WriteSummary> {
  await makePrivateFolder(context.folder);
  const { newRun } = task;
  // A second create-only run would create duplicates, because it doesn't compare rows with existing
  // resources.
  const once = task.onMatch === "create";
  const identity = identityFor(context, task);
  if (task.dryRun) return dryRun(context, task, identity);
  return runImport(context, {
    // The last step of a run stores the keys. Resume a run even if only this step is missing.
    open: () => openRunOf(context, identity, { newRun, once, concludes: task.keys !== undefined }),
    resultsPath: (id) => task.resultsPath ?? resultsPathOf(context.resultsFolder, id),
    resumeKeys: task.keys?.resume,
    plan: async (run, keys) => plan(context, task, identity, run, await keys.begin(task.keys, run.journal)),
    ended: async ({ errorOf: reasonOf }) => task.writeRejects?.(reasonOf),
  });
}

type ResumeTask = Pick<ImportRun, "ended"> & { resumeKeys: ResumeKeys };

/**
 * Resumes an interrupted import without its input file.
 * @throws see `runJournaled`
 */
export function resumeImport(context: RunContext, id: string, task: ResumeTask): Promise<WriteSummary> {
  return runImport(context, {
    ...task,
    async open() {
      const run = await openUnfinished(context, id);
      try {
        importOf(run.journal);
        return run;
      } catch (error) {
        run.journal.close();
        throw error;
      }
    },
  });
}

interface ImportRun extends Pick<RunTask, "open" | "resultsPath"> {
  resumeKeys: ResumeKeys | undefined;
  /** @returns whether the group was read a second time and compared with the rows */
  plan?(run: PlannedRun, keys: HeldKeys): Promise<boolean>;
  /** Called before the run is marked as finished. */
  ended(run: {
    rejects: unknown;
    digest: string;
    errorOf(number: number): string | undefined;
  }): Promise<void>;
}

/** The journal contains all data that a resumed run needs. */
function runImport(
  context: RunContext,
  { open, resultsPath, resumeKeys, plan: planRun, ended }: ImportRun,
): Promise<WriteSummary> {
  let isCompared = false;
  return withKeys(resumeKeys, (keys) =>
    runJournaled(context, {
      open,
      ...(resultsPath === undefined ? {} : { resultsPath }),
      async plan(run) {
        isCompared = (await planRun?.(run, keys)) === true;
      },
      adapter: (journal) =>
        createAdapter(context, journal, importedResources({ ...importOf(journal), keys }), { isCompared }),
      async conclude(journal) {
        noteForeignChanges(journal, comparedFields);
        await checkContacts(context, journal);
        await ended({
          ...{ rejects: journal.setting("rejects"), digest: importOf(journal).digest },
          errorOf: (number) => errorOf(journal, number),
        });
        await (await keys.of(journal))?.learn();
      },
      rejected: context.listener.rejected,
      outcomes: countRowOutcomes,
    }),
  );
}

/** @throws BulkError `run_of_other_kind` */
function importOf(journal: Journal): { adapter: ImportAdapter; groupId: string; digest: string } {
  const identity = identityOf(journal);
  const adapter = identity && importAdapterOf(identity);
  if (identity !== undefined && adapter !== undefined)
    return { adapter, groupId: identity.group_id, digest: identity.digest };
  throw new BulkError(
    "run_of_other_kind",
    `a run of type ${identity?.kind} can only be resumed by its own command`,
  );
}

function comparedFields({ before, input }: Item): Fields {
  const fields = recordOf(before);
  return Object.fromEntries(determinedFields(recordOf(input)).map((field) => [field, fields[field]]));
}

/** Finds duplicate contacts that another process created at the same time. */
async function checkContacts(context: RunContext, journal: Journal): Promise<void> {
  const identity = identityOf(journal);
  if (identity?.kind !== "contacts") return;
  await findDoubled(context, journal, { groupId: identity.group_id, identity: matchIdentityOf(identity) });
}

function identityFor(
  { baseUrl, requestStats }: RunContext,
  { adapter, groupId = "", digest, options }: ImportTask,
): RunIdentity {
  return {
    kind: adapter.type,
    base_url: baseUrl,
    world: requestStats.emulatorId,
    group_id: groupId,
    digest,
    options,
  };
}

/**
 * @returns whether the group was read a second time and compared with the rows
 * @throws BulkError if the run must not start
 */
async function plan(
  context: RunContext,
  task: ImportTask,
  identity: RunIdentity,
  { id, journal, results, resultsPath }: PlannedRun,
  keys: NewRunKeys | undefined,
): Promise<boolean> {
  const { adapter, onMatch } = task;
  journal.setSetting("file", task.file);
  journal.setSetting("group_id", task.groupId ?? null);
  journal.setSetting("group_name", task.groupName);
  journal.setSetting("profile", task.profile);
  if (task.groupMade) journal.setSetting("group_made", true);
  journal.setSetting("rejects", task.rejects ?? null);
  const runs = await runsAndUndosInto(context.folder, identity, id);
  if (!task.dryRun) reportUnfinishedRuns(context, runs, task.file);
  const earlier = runs.filter(({ kind }) => kind === identity.kind);
  // Runs that applied plan files may also have written to this group.
  const plans = await runsInto(context.folder, { ...identity, kind: "apply", group_id: "" }, id);
  const known = [...earlier, ...plans].sort((left, right) => compareNewestFirst(left, right));
  await readMemory(context.folder, known, identity, adapter, createExisting(journal.database));
  const groupId = task.groupIsNew ? undefined : task.groupId;
  const { rows, watch } = keys ?? { rows: task.rows, watch: undefined };
  await planRows(context, journal, { adapter, rows, groupId, onMatch, watch });
  keys?.endFile();
  // Compare again after the last row, because only then is it known which keys and contacts the file lacks.
  const isCompared = keys !== undefined && groupId !== undefined;
  if (isCompared) await compareAgain(context, journal, adapter, groupId, onMatch, watch);
  keys?.assertAllowed();
  if (task.bounds !== undefined) {
    try {
      const plural = adapter.type === "contacts" ? "contacts" : "items";
      assertReplaceBounds(task.bounds, plannedChanges(journal), resultsPath, plural);
    } catch (error) {
      await results.write(listResultItems(journal));
      throw error;
    }
  }
  const { invalid = 0 } = countOutcomes(journal);
  if (!task.strict || invalid === 0) return isCompared;
  context.listener.rejected(await results.write(listResultItems(journal)));
  await task.writeRejects?.((number) => errorOf(journal, number));
  throw new BulkError(
    "invalid_rows",
    `${formatCount(invalid, "row")} of ${inputName(task.file)} can't be imported`,
    `see ${resultsPath} for the reasons, or import the valid rows without --strict`,
  );
}

export function plannedChanges(journal: Journal): { size: number; updated: number; cleared: number } {
  let updated = 0;
  let cleared = 0;
  for (const { action, before, body } of eachIn(journal, "planned")) {
    if (action !== "update") continue;
    updated += 1;
    if (clearsValue(recordOf(before), recordOf(body))) cleared += 1;
  }
  return { size: createExisting(journal.database).size(), updated, cleared };
}

/** Returns why a row was not imported, in one line; undefined if it was imported. */
export function errorOf(journal: Journal, number: number): string | undefined {
  const item = journal.item(number);
  if (item === undefined) return undefined;
  if (item.state !== "rejected" && item.outcome !== "invalid" && item.outcome !== "ambiguous")
    return undefined;
  const { problems, reason, message, ...place } = recordOf(item.detail);
  const list: unknown[] = Array.isArray(problems) ? problems : [{ ...place, reason: reason ?? message }];
  return list.map((problem) => formatProblem(recordOf(problem))).join("; ");
}

/**
 * Reads the group a second time, then writes the plan file. The plan creates only resources that the group
 * lacked in both readings.
 */
async function seal(
  context: RunContext,
  task: ImportTask,
  journal: Journal,
  { keys, isCompared }: { keys: NewRunKeys | undefined; isCompared: boolean },
): Promise<void> {
  if (task.seal === undefined) return;
  if (task.groupId !== undefined && !isCompared)
    await compareAgain(context, journal, task.adapter, task.groupId, task.onMatch);
  // A create-only run doesn't compare rows with existing resources.
  const identity: ImportAdapter["identity"] = task.onMatch === "create" ? () => ({}) : task.adapter.identity;
  await task.seal(context, journal, identity, keys?.sealed());
}

function compareNewestFirst(left: RunInfo, right: RunInfo): number {
  return (left.started_at ?? "") < (right.started_at ?? "") ? 1 : -1;
}

/** Reads and compares everything, but writes only local files. */
function dryRun(context: RunContext, task: ImportTask, identity: RunIdentity): Promise<WriteSummary> {
  const { folder, machineClock, signal, listener } = context;
  const work = async (journal: Journal, held: HeldKeys) => {
    const id = `dry-run-${prefixOf({ ...identity, group_name: task.groupName })}`;
    const resultsPath = task.resultsPath ?? resultsPathOf(folder, id);
    const results = await openResultsFile(resultsPath, { clock: machineClock, signal });
    try {
      const keys = await held.begin(task.keys, journal);
      const isCompared = await plan(context, task, identity, { id, journal, results, resultsPath }, keys);
      await seal(context, task, journal, { keys, isCompared });
      const rejected = await results.write(listResultItems(journal));
      if (rejected.count + rejected.changed.count > 0) listener.rejected(rejected);
      await task.writeRejects?.((number) => errorOf(journal, number));
      // If the group doesn't exist, the real import sends one more request to create the group.
      const rows = journal.count("planned");
      const requests = rows > 0 && task.groupId === undefined ? rows + 1 : rows;
      const outcomes = countRowOutcomes(journal);
      return { ...summaryOf(journal, { id: null, report: resultsPath }, outcomes), requests };
    } finally {
      await results.close();
    }
  };
  return withTemporaryJournal(folder, "dry-run-", (journal) =>
    withKeys(undefined, (held) => work(journal, held)),
  );
}
