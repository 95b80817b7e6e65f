import { formatCount } from "../../../base/text.js";
import { groupRunFlags } from "../../../cli/bulk/bulk-flags.js";
import { readMatch } from "../../../cli/bulk/flags.js";
import { assertAllDone } from "../../../cli/bulk/outcome.js";
import { sealFlags } from "../../../cli/bulk/plan-file.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { noteUndo } from "../../../cli/bulk/run-notes.js";
import { isTableOutput } from "../../../cli/bulk/summary.js";
import type { Command } from "../../../cli/session/command.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import { matchFlag } from "../../import/commands/file-flags.js";
import type { DedupeRules, Prefer } from "../clusters.js";
import type { DedupePreview } from "../dedupe.js";
import { runOnGroups, showChanged } from "./groups-run.js";

const preferences = ["oldest", "newest", "fullest"] as const satisfies readonly Prefer[];

const flags: readonly Flag[] = [
  {
    name: "group",
    value: "name|id",
    description: "Check only this group",
    default: "all groups, one by one",
  },
  matchFlag,
  {
    name: "prefer",
    value: "which",
    description: "Contact to keep from each set of duplicates",
    choices: preferences,
    strict: true,
    default: "oldest",
  },
  { name: "merge", description: "Add the duplicates' numbers and emails to the contact that is kept" },
  {
    name: "merge-shared",
    description: "Treat contacts with the same number but different names as duplicates",
  },
  {
    name: "drop-unknown",
    description: "Also delete duplicates with fields that this version of voxctl doesn't know",
  },
  { name: "check", description: "Exit with code 10 if duplicates exist, without changing them" },
  { name: "dry-run", description: "Print the duplicates without changing them" },
  ...sealFlags,
  { name: "report", value: "file", description: "File for the sets of duplicates (NDJSON)" },
  ...groupRunFlags,
];

export const dedupeContacts: Command = {
  name: "dedupe",
  summary: "Find and delete duplicate contacts in a group",
  description:
    "Contacts are duplicates if they have the same name and share a value in a --match field. voxctl shows the " +
    "duplicates before it changes them.\n\nWith --merge, the contact that is kept gets the others' numbers and " +
    "emails, and a last name if it has none. Without --merge, a duplicate with additional data is kept.\n\nContacts with " +
    "the same number but different names, such as a family, are listed as `shared` and are kept, unless you use " +
    "--merge-shared. Contacts with different keys (`contacts sync --key`) are always kept, because the next sync would " +
    "create them again.\n\nTo " +
    "revert the changes, run `voxctl runs undo RUN`; deleted contacts are recreated with new IDs.",
  flags,
  confirms: true,
  examples: [
    { command: "voxctl contacts dedupe --group Patienten --dry-run" },
    { command: "voxctl contacts dedupe --group Patienten --merge --yes" },
    { command: "voxctl contacts dedupe --match phone,email --check", note: "For CI" },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => runDedupe(session, input)),
};

async function runDedupe(session: Session, input: Input): Promise<void> {
  const isChecking = input.on("check") === true;
  const rules: DedupeRules = {
    match: readMatch(input.text("match") ?? "phone"),
    prefer: preferences.find((preference) => preference === input.text("prefer")) ?? "oldest",
    merges: input.on("merge") === true,
    mergesShared: input.on("merge-shared") === true,
    dropsUnknown: input.on("drop-unknown") === true,
  };
  const { dedupe } = await import("../index.js");
  const isLooking = isChecking || input.on("dry-run") === true;
  const summary = await runOnGroups(
    session,
    input,
    { verb: "dedupe", flags, isLooking },
    ({ context, task, note, clear, confirm }) =>
      dedupe(context, {
        ...task,
        rules,
        confirm: async (duplicates) => {
          clear();
          await showDuplicates(session, duplicates, note);
          if (duplicates.merged + duplicates.deleted > 0) await confirm(formatPrompt(duplicates));
        },
      }),
  );
  await showDeduped(session, summary, { isChecking, isLooking });
}

/** With JSON output, prints only 20 lines, because scripts read the results file. */
async function showDuplicates(
  session: Session,
  { lines }: DedupePreview,
  note: (text: string) => void,
): Promise<void> {
  if (session.output.format === "table") {
    await session.output.lines(lines);
    return;
  }
  for (const line of lines.slice(0, 20)) note(line);
  if (lines.length > 20) note(`… and ${lines.length - 20} more lines`);
}

function formatPrompt({ deleted, merged }: DedupePreview): string {
  const merges = merged > 0 ? ` and merge their data into ${formatCount(merged, "contact")}` : "";
  return `Delete ${formatCount(deleted, "contact")}${merges}?`;
}

/**
 * @throws CliError with exit code 75 for unconfirmed changes, 68 for failed changes, 10 for duplicates found
 * by --check
 */
async function showDeduped(
  session: Session,
  summary: WriteSummary,
  { isChecking, isLooking }: Readonly<Record<"isChecking" | "isLooking", boolean>>,
): Promise<void> {
  const { run_id, plan_id, rows: contacts, outcomes, requests, report } = summary;
  const { clusters = 0, shared = 0, updated: merged = 0, deleted = 0, duplicates_left: left = 0 } = outcomes;
  const { failed = 0, drifted = 0, unknown = 0 } = outcomes;
  if (clusters + shared === 0 && isTableOutput(session))
    return session.output.lines([`No duplicates among ${formatCount(contacts, "contact")}.`]);
  if (run_id !== null && merged + deleted > 0) noteUndo(session, "undo these changes", run_id);
  const view = {
    ...{ run_ids: run_id === null ? [] : [run_id], plan_id, contacts, clusters, shared, merged, deleted },
    ...{ left, failed, drifted, unknown, requests, report },
  };
  await showChanged(session, summary, { view, isLooking, write: "write", noun: "change", done: "made" });
  assertAllDone(
    { differs: isChecking ? clusters : 0 },
    {
      code: "duplicates",
      message: () => `${formatCount(clusters, "contact")} ${clusters === 1 ? "has" : "have"} duplicates`,
      isPartly: false,
      hint: `see ${report}`,
    },
  );
}
