import { join, resolve } from "node:path";
import { quoteWord } from "../../base/shell-words.js";
import { createSuggester, formatSuggestion } from "../../base/suggestions.js";
import type { PlannedSync } from "../../features/sync/results.js";
import type { ProtectFile, SyncSubject, SyncTask } from "../../features/sync/task.js";
import { CliError, exits, notFoundError } from "../errors/errors.js";
import { rememberedFile } from "../profiles/rehearsal-file.js";
import type { Flag, Input } from "../session/input.js";
import { groupOf } from "../session/references/group.js";
import { isId } from "../session/references/references.js";
import type { Session } from "../session/session.js";
import { version } from "../session/version.js";
import { readBulkFlags } from "./bulk-flags.js";
import { readBounds, readResultsPath } from "./flags.js";
import { findGroup, findGroupOfRuns } from "./group.js";
import { formatTarget } from "./import.js";
import { formatCommandWords, type PlanFileOptions, readPlanFileOptions } from "./plan-file.js";
import type { InputUnit } from "./rejected-rows.js";
import { withBulkRun } from "./run.js";
import type { SyncFlags } from "./sync-flags.js";
import { formatCounts, formatSyncPrompt, showChanges, showSync } from "./sync-result.js";
import type { BulkTarget } from "./target.js";
import { getRunsFolder, openImportTarget } from "./target.js";

export interface SyncSource {
  /** `contacts`, `sync` */
  words: readonly [noun: string, verb: string];
  flags: readonly Flag[];
  groupType: Parameters<typeof findGroup>[2];
  /** Path as typed; `-` means standard input. */
  file: string;
  description: string;
  unit?: Exclude<InputUnit, "step">;
  subject: SyncSubject;
  protectFile?: ProtectFile | undefined;
  /** Time of the file's last change, by the local clock. */
  madeAt: number;
  remarks(target: BulkTarget): Promise<readonly string[]>;
  writeRejects?: ((errorOf: (number: number) => string | undefined) => Promise<void>) | undefined;
  /** Call this function after the file has been read. */
  advice?(): readonly string[];
}

export function getSyncPaths(
  session: Session,
  input: Input,
  { report }: SyncFlags,
  file: string,
): { report: string | undefined; plan: PlanFileOptions | undefined } {
  const { cwd } = session.io;
  return {
    report: readResultsPath(report, resolve(cwd, file), cwd),
    plan: readPlanFileOptions(session, input, { read: file }),
  };
}

/** @throws CliError, ClientError, BulkError */
export async function synchronize(
  session: Session,
  input: Input,
  flags: SyncFlags,
  source: SyncSource,
): Promise<void> {
  const { parseBound } = await import("../../features/import/index.js");
  const { openKeyMapStore, parseRowRange, runSync, syncResultsPath } = await import(
    "../../features/sync/index.js"
  );
  const { words, subject, groupType, file } = source;
  const { report, plan } = getSyncPaths(session, input, flags, file);
  const [maxDelete, expectRows] = [input.text("max-delete"), input.text("expect-rows")];
  const limits = {
    bounds: await readBounds(input),
    maxDelete: maxDelete === undefined ? undefined : parseBound(maxDelete, "--max-delete"),
    expectRows: expectRows === undefined ? undefined : parseRowRange(expectRows),
  };
  const target = await openImportTarget(session, getRunsFolder(session), { dryRun: !flags.isSending });
  const { notes } = target;
  const action = flags.isSending ? "Syncing" : "Previewing the sync of";
  notes.note(`${action} ${source.description} into group "${flags.group}", ${formatTarget(target)}`);
  for (const remark of await source.remarks(target)) notes.note(remark);
  const options = { ...readBulkFlags(input), command: `${words.join(" ")} ${file}`, unit: source.unit };
  let groupName = flags.group;
  let preview: PlannedSync | undefined;
  const summary = await withBulkRun(target, options, async (context, line) => {
    const nearest = createSuggester(flags.group);
    const named = await findGroup(context.client, flags.group, groupType, context.signal, nearest);
    // Search the groups of earlier runs, because the service may have normalized the name of a group that an
    // import created.
    const group =
      named ?? (isId(flags.group) ? undefined : await findGroupOfRuns(context, flags.group, groupType));
    if (group === undefined) {
      throw notFoundError(
        `${groupOf(groupType).noun} "${flags.group}" not found`,
        `${formatSuggestion(nearest)}create the group: \`voxctl groups create --type ${groupType} --name ${quoteWord(flags.group)}\``,
      );
    }
    groupName = group.name;
    const given = input.text("state");
    const path =
      given === undefined ? undefined : rememberedFile(session.io.env, resolve(session.io.cwd, given));
    const folder = join(session.folders.data, "sync");
    const location = { baseUrl: context.baseUrl, folder, blobs: context.sharedBlobs };
    const task: SyncTask = {
      ...flags.task,
      ...limits,
      unit: source.unit,
      ...{ subject, file, groupId: group.id, groupName: group.name },
      protectFile: source.protectFile,
      madeAt: session.serviceNow() - (session.clock.now() - source.madeAt),
    };
    return runSync(context, task, {
      store: openKeyMapStore(location, group.id, path),
      stateFile:
        given === undefined || path === undefined ? undefined : { given, directory: session.io.cwd, path },
      folder,
      profile: target.profile,
      command: formatCommandWords(words, input, source.flags),
      madeBy: `voxctl ${version}`,
      random: session.random,
      resultsPath: report ?? syncResultsPath(context.folder, context.baseUrl, group.id),
      dryRun: flags.dryRun,
      planPath: plan?.path,
      force: plan?.force === true,
      passphrase: plan?.passphrase,
      writeRejects: source.writeRejects,
      planned: (planned) => {
        if (!flags.isSending) preview = planned;
        else if (notes.live) {
          line.note(formatCounts(planned, subject));
          showChanges(line.note, planned);
        }
      },
      confirm: async (planned) => {
        line.clear();
        if (planned.deleted > 0)
          await session.confirm(formatSyncPrompt(planned, group.name, subject), { loses: false });
      },
      remark: line.note,
      goingOn: (id) => line.note(`Resuming the interrupted run of plan ${id}…`),
    });
  });
  const { noun, plural } = subject;
  await showSync(session, summary, {
    ...flags,
    ...{ noun, plural, groupName, unit: source.unit, advice: source.advice?.(), note: notes.note },
    changes: flags.dryRun || notes.live ? preview : undefined,
  });
}

/** Error codes for incomplete or damaged files. Such a file must not cause deletions. */
const damagedFile = new Set([
  "empty_file",
  "empty_folder",
  "file_changed",
  "quote_not_closed",
  "not_an_array",
  "unsupported_file",
]);

/** @throws refused error (12) if an incomplete input would delete resources; any other error of `open` */
export async function openWhole<T>(
  { isDeleting }: Pick<SyncFlags, "isDeleting">,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { BulkError: Refusal } = await import("../../write/index.js");
    if (!(error instanceof Refusal) || !isDeleting || !damagedFile.has(error.code)) throw error;
    throw new CliError({
      exit: exits.refused,
      code: "file_incomplete",
      message: error.message,
      hint:
        error.code === "empty_folder"
          ? "restore the files; no flag skips this check"
          : "fix the file; no flag skips this check",
      cause: error,
    });
  }
}
