import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SyncTask } from "../../../bulk/sync/task.js";
import { CliError, exits, notFoundError, usageError } from "../../errors/errors.js";
import { meantText, nearestTo } from "../../errors/nearest.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { groupRunFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { readReport } from "../bulk/flags.js";
import { findGroup } from "../bulk/group.js";
import { sourceText, targetText } from "../bulk/import.js";
import { refuseInput, typedWords } from "../bulk/plan-file.js";
import { withBulkRun } from "../bulk/run.js";
import { openImportTarget, quietTarget, withRefusals } from "../bulk/session.js";
import { adviceOf } from "./advice.js";
import { fileFlags, openContacts, quietFlag, replaceFlags } from "./file-flags.js";
import { mappingRemarks } from "./mapping.js";
import { rejectsWriter } from "./rejects.js";
import { startSource } from "./source-command.js";
import { readFlags, type SyncFlags, syncFlags } from "./sync-flags.js";
import { questionOf, showChanges, showSync } from "./sync-result.js";

const allFlags: readonly Flag[] = [...syncFlags, ...replaceFlags, ...fileFlags, quietFlag, ...groupRunFlags];

export const syncContacts: Command = {
  name: "sync",
  summary: "Make a group equal to a file: create, change and, with --delete, delete contacts",
  description: `Each row becomes one contact, and a contact equals its row in the columns that the file has. A cell that can't be read leaves its field as it is; an empty cell clears only in a column that is filled in at least half of the rows; a contact's last number or e-mail goes only with --clear-empty. A second run of the same file writes nothing.

With --delete the file has to look whole: not empty, not ending within a row, not much shorter than last time, not mostly invalid; and no more than --max-delete go. Contacts that share a number, an e-mail or the full name with a row that can't be used stay, and so do those that others made or changed after the file was made. Everything is judged before the first write; a refusal is 12, and names the flag that lifts it. What can't be noticed: one row that is missing at a line's end, and without an earlier run or --expect-rows a file that was cut exactly between two rows.

Right before each change or delete the contact is read once more; where others changed it meanwhile it is left and listed. A run that was interrupted is gone on with by the same command. voxctl runs undo takes a run back; deleted contacts are made again, under new ids.`,
  arguments: [{ name: "file", description: "the file, or - for standard input", optional: true }],
  flags: allFlags,
  examples: [
    {
      command: "voxctl contacts sync kunden.csv --group Patienten --country DE --dry-run",
      note: "what would change",
    },
    {
      command: "voxctl contacts sync crm.csv --group Kunden --country DE --key Kundennummer --delete --yes",
      note: "every night, from the CRM's export",
    },
    {
      command: "voxctl contacts sync kunden.csv --group Patienten --country DE --plan patienten.plan",
      note: "for review; voxctl apply patienten.plan carries it out",
    },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  const flags = readFlags(input);
  // An undo makes deleted contacts again.
  if (flags.isDeleting && flags.isSending) await session.assertConfirmable({ loses: false });
  const startedAt = session.clock.now();
  const { source, contacts, folder } = await openSyncFile(session, input, flags);
  const protectPath = input.text("protect");
  const protect =
    protectPath === undefined ? undefined : await openContacts(session, protectPath, flags.file);
  try {
    const { checkClearEmpty, parseBound } = await import("../../../bulk/index.js");
    const { fileStateStore, ownStateStore, parseFieldValue, parseRowRange, runSync, syncReportPath } =
      await import("../../../bulk/sync/index.js");
    const bound = (name: string) => {
      const text = input.text(name);
      return text === undefined ? undefined : parseBound(text, `--${name}`);
    };
    const expectRows = input.text("expect-rows");
    const limits = {
      bounds: { maxUpdate: bound("max-update"), maxClear: bound("max-clear") },
      maxDelete: bound("max-delete"),
      expectRows: expectRows === undefined ? undefined : parseRowRange(expectRows),
      protectWhere: input.texts("protect-where").map(parseFieldValue),
    };
    checkClearEmpty(contacts, flags.clearEmpty);
    const own = resolve(session.io.cwd, source.name);
    const report = readReport(flags.report, own, session.io.cwd);
    const planPath = flags.planPath === undefined ? undefined : resolve(session.io.cwd, flags.planPath);
    if (planPath !== undefined) refuseInput(planPath, flags.planPath ?? "", own);
    const writeRejects = await rejectsWriter(session, flags.file.rejects, contacts, report);
    const target = quietTarget(
      await openImportTarget(session, folder, { dryRun: !flags.isSending }),
      input.on("quiet") === true,
    );
    const { notes } = target;
    notes.note(`${sourceText(source)} → group "${flags.group}" of ${targetText(target)}`);
    const remarks = await mappingRemarks(contacts, {
      isShown: flags.dryRun || notes.live,
      clearEmpty: flags.clearEmpty,
      keyColumn: flags.task.keyColumn,
    });
    for (const remark of remarks) notes.note(remark);
    const command = `contacts sync ${source.name}`;
    const summary = await withBulkRun(target, { ...readBulkFlags(input), command }, async (context) => {
      const nearest = nearestTo(flags.group);
      const group = await findGroup(context.client, flags.group, "contacts", context.signal, nearest);
      if (group === undefined) {
        throw notFoundError(
          `--group: no group of type contacts is named "${flags.group}"`,
          `${meantText(nearest)}voxctl groups create --type contacts --name NAME makes one`,
        );
      }
      const stateFile = input.text("state");
      const syncFolder = join(session.folders.data, "sync");
      const at = { baseUrl: context.baseUrl, groupId: group.id, folder: syncFolder };
      const task: SyncTask = {
        ...flags.task,
        ...limits,
        input: contacts,
        file: source.name,
        groupId: group.id,
        groupName: group.name,
        protectFile: protect?.contacts,
        madeAt: session.serviceNow() - (session.clock.now() - (await madeAt(session, input, startedAt))),
      };
      const statePath = stateFile === undefined ? undefined : resolve(session.io.cwd, stateFile);
      return runSync(context, task, {
        store: statePath === undefined ? ownStateStore(at) : fileStateStore(statePath),
        stateFile:
          stateFile === undefined || statePath === undefined
            ? undefined
            : { given: stateFile, path: statePath },
        folder: syncFolder,
        profile: target.profile,
        command: typedWords(["contacts", "sync"], input, allFlags),
        madeBy: `voxctl ${version}`,
        random: session.random,
        reportPath: report ?? syncReportPath(context.folder, context.baseUrl, group.id),
        dryRun: flags.dryRun,
        planPath,
        force: input.on("force") === true,
        writeRejects,
        planned: (planned) => {
          if (flags.dryRun || notes.live) showChanges(notes.note, planned);
        },
        confirm: async (planned) => {
          if (planned.deleted > 0) await session.confirm(questionOf(planned, group.name), { loses: false });
        },
        goingOn: (id) => notes.note(`going on with the run of the plan ${id}, which was interrupted`),
      });
    });
    await showSync(session, summary, { ...flags, advice: adviceOf(contacts), note: notes.note });
  } finally {
    await source.close();
    await protect?.source.close();
  }
}

/** When the file was made; what has no time of its own counts from when it began to be read (S5). */
async function madeAt(session: Session, input: Input, startedAt: number): Promise<number> {
  const [file = "-"] = input.arguments;
  if (file === "-" || input.has("source-command")) return startedAt;
  const { mtimeMs, isFile } = await stat(resolve(session.io.cwd, file)).then((status) => ({
    mtimeMs: status.mtimeMs,
    isFile: status.isFile(),
  }));
  return isFile ? mtimeMs : startedAt;
}

/** Codes of files that can't be taken for whole: no contact is deleted by them. */
const damagedFile = new Set([
  "empty_file",
  "file_changed",
  "quote_not_closed",
  "not_an_array",
  "unsupported_file",
]);

/**
 * Opens the file, or runs the program whose output it is.
 * @throws refused error (12) for a program that failed, and with --delete for a file that is not whole
 */
async function openSyncFile(session: Session, input: Input, flags: SyncFlags) {
  const [file] = input.arguments;
  const sourceCommand = input.text("source-command");
  if ((file === undefined) === (sourceCommand === undefined))
    throw usageError("give the file, - for standard input, or --source-command, and one of them only");
  const { BulkError } = await import("../../../bulk/index.js");
  const source = sourceCommand === undefined ? undefined : startSource(session, sourceCommand);
  try {
    const opened = await openContacts(session, file ?? "-", flags.file, source?.stdout);
    try {
      await source?.assertDone();
    } catch (error) {
      await opened.source.close();
      throw error;
    }
    return opened;
  } catch (error) {
    if (!(error instanceof BulkError)) throw error;
    // The output of a program that failed is not a file.
    await source?.assertDone();
    if (!flags.isDeleting || !damagedFile.has(error.code)) throw error;
    throw new CliError({
      exit: exits.refused,
      code: "file_incomplete",
      message: `${error.message}; nothing was sent`,
      hint: "mend the file; no flag lifts this",
      cause: error,
    });
  }
}
