import { join } from "node:path";
import { counted, escapeControl } from "../../../base/text.js";
import type { Prefer } from "../../../bulk/sync/clusters.js";
import type { DedupeFound, DedupeSummary } from "../../../bulk/sync/dedupe.js";
import { CliError, exits, partlyDoneError, unknownError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { groupRunFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { quietFlag, readMatch, readReport } from "../bulk/flags.js";
import { readPlanPlace, sealFlags, typedWords } from "../bulk/plan-file.js";
import { withBulkRun } from "../bulk/run.js";
import { openImportTarget, quietTarget, runsFolder, summaryView, withRefusals } from "../bulk/session.js";
import { matchFlag } from "./file-flags.js";
import { contactGroups } from "./groups.js";
import { ownReportPath } from "./report-path.js";

const preferences = ["oldest", "newest", "fullest"] as const satisfies readonly Prefer[];

const flags: readonly Flag[] = [
  { name: "group", value: "name|id", description: "only this group", default: "each group by itself" },
  matchFlag,
  {
    name: "prefer",
    value: "which",
    description: "the one that is kept",
    choices: preferences,
    strict: true,
    default: "oldest",
  },
  { name: "merge", description: "the kept one gets numbers and e-mails of the others" },
  { name: "merge-shared", description: "take those with other names for the same, too" },
  { name: "drop-unknown", description: "delete, too, what has fields that this voxctl does not know" },
  { name: "check", description: "change nothing, and end with 10 where there are any" },
  { name: "dry-run", description: "show them, and send nothing" },
  ...sealFlags,
  { name: "report", value: "file", description: "where to write the clusters (NDJSON)" },
  quietFlag,
  ...groupRunFlags,
];

export const dedupeContacts: Command = {
  name: "dedupe",
  summary: "Find contacts of a group that are the same, and keep one of each",
  description:
    "Contacts that share a phone number (--match decides otherwise) and the name are the same. They are shown, and " +
    "nothing is changed before it was asked. The kept one gets the numbers and e-mails of the others with --merge, and " +
    "their last name where it has none; without --merge one that has more than the kept one stays. The same number " +
    "under another name, as of a family or an office, is shown as shared and left, unless --merge-shared is given. " +
    "voxctl runs undo takes it back; deleted contacts are made again, under new ids.",
  flags,
  examples: [
    { command: "voxctl contacts dedupe --group Patienten --dry-run" },
    { command: "voxctl contacts dedupe --group Patienten --merge --yes" },
    { command: "voxctl contacts dedupe --match phone,email --check", note: "in CI: 10 where there are any" },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  const isLooking = input.on("dry-run") === true || input.on("check") === true;
  const plan = readPlanPlace(session, input);
  const isSending = !isLooking && plan === undefined;
  if (isSending) await session.assertConfirmable({ loses: false });
  const { dedupe } = await import("../../../bulk/sync/index.js");
  const folder = runsFolder(session);
  const target = quietTarget(
    await openImportTarget(session, folder, { dryRun: !isSending }),
    input.on("quiet") === true,
  );
  const syncFolder = join(session.folders.data, "sync");
  const report = readReport(input.text("report"), undefined, session.io.cwd);
  const summary = await withBulkRun(
    target,
    { ...readBulkFlags(input), command: "contacts dedupe" },
    async (context, line) =>
      dedupe(context, {
        groups: await contactGroups(session, context.client, input.text("group")),
        rules: {
          match: readMatch(input.text("match") ?? "phone"),
          prefer: preferences.find((one) => one === input.text("prefer")) ?? "oldest",
          merges: input.on("merge") === true,
          mergesShared: input.on("merge-shared") === true,
          dropsUnknown: input.on("drop-unknown") === true,
        },
        dryRun: isLooking,
        planPath: plan?.path,
        force: plan?.force === true,
        passphrase: plan?.passphrase,
        folder: syncFolder,
        reportPath: report ?? ownReportPath(session, "dedupe"),
        profile: target.profile,
        command: typedWords(["contacts", "dedupe"], input, flags),
        madeBy: `voxctl ${version}`,
        random: session.random,
        confirm: async (found) => {
          line.clear();
          await showFound(session, found, target.notes.note);
          if (isSending && found.merged + found.deleted > 0)
            await session.confirm(questionOf(found), { loses: false });
        },
      }),
  );
  await showDeduped(session, summary, {
    isLooking,
    isChecking: input.on("check") === true,
    planFile: plan?.file,
  });
}

/** The clusters are the result where a person reads it; a script has them in the report. */
async function showFound(
  session: Session,
  { lines }: DedupeFound,
  note: (text: string) => void,
): Promise<void> {
  if (session.output.format === "table") {
    await session.output.text(lines.map((line) => `${escapeControl(line)}\n`).join(""));
    return;
  }
  for (const line of lines.slice(0, 20)) note(line);
  if (lines.length > 20) note(`… and ${lines.length - 20} more lines`);
}

function questionOf({ deleted, merged }: DedupeFound): string {
  const merges = merged > 0 ? `, after ${counted(merged, "contact")} got what they have more` : "";
  return `Delete ${counted(deleted, "contact")}${merges}?`;
}

/** @throws CliError: unknown (75), partly done (68), with --check differences (10) */
async function showDeduped(
  session: Session,
  summary: DedupeSummary,
  {
    isLooking,
    isChecking,
    planFile,
  }: { isLooking: boolean; isChecking: boolean; planFile: string | undefined },
): Promise<void> {
  const { clusters, failed, drifted, unknown, merged, deleted, report, plan_id } = summary;
  if (isLooking) session.notes.note("nothing was sent");
  if (planFile !== undefined && plan_id !== null)
    session.notes.note(`plan ${plan_id} is in ${planFile}; nothing was sent: voxctl apply ${planFile}`);
  await session.output.item(summary, summaryView);
  const hint = `they are listed in ${report}`;
  if (unknown > 0) {
    throw unknownError(`it is unknown whether ${counted(unknown, "write")} took effect`, hint);
  }
  if (failed + drifted > 0) {
    throw partlyDoneError(
      `${failed + drifted} of the changes were not made: rejected, or changed by others meanwhile`,
      merged + deleted > 0,
      hint,
    );
  }
  if (isChecking && clusters > 0) {
    throw new CliError({
      exit: exits.differences,
      code: "duplicates",
      message: `${counted(clusters, "contact")} ${clusters === 1 ? "is" : "are"} there more than once`,
      outcome: "none",
      hint,
    });
  }
}
