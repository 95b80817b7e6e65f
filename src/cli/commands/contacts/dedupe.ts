import { formatCount } from "../../../base/text.js";
import type { DedupeRules, Prefer } from "../../../bulk/sync/clusters.js";
import type { DedupePreview, DedupeSummary } from "../../../bulk/sync/dedupe.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "../bulk/bulk-flags.js";
import { readMatch } from "../bulk/flags.js";
import { sealFlags } from "../bulk/plan-file.js";
import { withRefusals } from "../bulk/refusals.js";
import { matchFlag } from "./file-flags.js";
import { runOnGroups, showChanged } from "./groups-run.js";

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
    "voxctl runs undo RUN takes it back; deleted contacts are made again, under new ids.",
  flags,
  examples: [
    { command: "voxctl contacts dedupe --group Patienten --dry-run" },
    { command: "voxctl contacts dedupe --group Patienten --merge --yes" },
    { command: "voxctl contacts dedupe --match phone,email --check", note: "in CI: 10 where there are any" },
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
  const { dedupe } = await import("../../../bulk/sync/index.js");
  const summary = await runOnGroups(
    session,
    input,
    { verb: "dedupe", flags, isLooking: isChecking || input.on("dry-run") === true },
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
  await showDeduped(session, summary, isChecking);
}

/** Prints the clusters on a terminal; scripts read them from the results file. */
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
  const merges = merged > 0 ? `, after ${formatCount(merged, "contact")} got what they have more` : "";
  return `Delete ${formatCount(deleted, "contact")}${merges}?`;
}

/** @throws CliError: unknown (75), partly done (68), with --check differences (10) */
async function showDeduped(session: Session, summary: DedupeSummary, isChecking: boolean): Promise<void> {
  const { clusters, merged, deleted, report } = summary;
  const hint = `they are listed in ${report}`;
  const [run] = summary.run_ids;
  if (run !== undefined && merged + deleted > 0) session.notes.note(`voxctl runs undo ${run} takes it back`);
  await showChanged(session, summary, {
    write: "write",
    noun: "change",
    done: "made",
    isPartly: merged + deleted > 0,
    hint,
  });
  if (isChecking && clusters > 0) {
    throw new CliError({
      exit: exits.differences,
      code: "duplicates",
      message: `${formatCount(clusters, "contact")} ${clusters === 1 ? "is" : "are"} there more than once`,
      outcome: "none",
      hint,
    });
  }
}
