import { formatCount } from "../../../base/text.js";
import type { PlannedSync } from "../../../bulk/sync/results.js";
import type { SyncSummary } from "../../../bulk/sync/task.js";
import { CliError, exits, partlyDoneError, unknownError } from "../../errors/errors.js";
import type { View } from "../../output/output.js";
import type { Session } from "../../session/session.js";
import type { InputUnit } from "./rejected-rows.js";
import type { SyncFlags } from "./sync-flags.js";

/** Shows the counts, then the changes, a line each. */
export function showChanges(
  note: (text: string) => void,
  { changes, created, updated, deleted }: PlannedSync,
  { noun, plural }: Nouns,
): void {
  if (created + updated + deleted > 0)
    note(`Will delete ${deleted}, change ${updated} and create ${formatCount(created, noun, plural)}:`);
  for (const line of changes) note(line);
  const more = created + updated + deleted - changes.length;
  if (more > 0 && changes.length >= 20) note(`… and ${more} more`);
}

/** "contact", "contacts" */
export interface Nouns {
  noun: string;
  plural: string;
}

/** "Delete 3 contacts of the group "Kunden" (Anna Weiß, Bert Klug …), create 2 and change 5?" */
export function formatSyncPrompt(
  { created, updated, deleted, goers }: PlannedSync,
  group: string,
  { noun, plural }: Nouns,
): string {
  const names = goers.join(", ");
  const otherChanges = [
    ...(created > 0 ? [`create ${created}`] : []),
    ...(updated > 0 ? [`change ${updated}`] : []),
  ];
  const suffix = otherChanges.length === 0 ? "" : `, ${otherChanges.join(" and ")}`;
  return `Delete ${formatCount(deleted, noun, plural)} of the group "${group}" (${names}${deleted > goers.length ? " …" : ""})${suffix}?`;
}

const previewNames: Readonly<Record<string, string>> = {
  created: "would create",
  updated: "would change",
  deleted: "would delete",
  requests: "would send",
};

/** Hides zero counts, and the results file: its path is printed at the end. */
function createSyncView(isPreview: boolean, { plural }: Nouns): View {
  const names: Readonly<Record<string, string>> = {
    duplicate_contacts: `duplicate ${plural}`,
    ...(isPreview ? previewNames : {}),
  };
  return {
    columns: [],
    detail: ({ report: _, run_id, plan_id, ...fields }) => ({
      ...Object.fromEntries(
        Object.entries({ run_id, plan_id })
          .filter(([, value]) => value !== null)
          .concat(Object.entries(fields).filter(([name, value]) => value !== 0 || alwaysShown.has(name)))
          .map(([name, value]) => [names[name] ?? name, value]),
      ),
    }),
  };
}

const alwaysShown = new Set(["rows", "created", "updated", "deleted", "unchanged"]);

interface ShowOptions extends SyncFlags, Nouns {
  advice: string | undefined;
  unit: InputUnit | undefined;
  note(text: string): void;
}

/**
 * Shows what a synchronization came to, or would come to.
 * @throws CliError: unknown (75), partly done (68), with --check differences (10)
 */
export async function showSync(session: Session, summary: SyncSummary, options: ShowOptions): Promise<void> {
  const { dryRun, planPath, check, isSending, advice, note, noun, plural, unit = "row" } = options;
  const { not_in_file, duplicate_contacts, newer, created, updated, deleted, report, plan_id } = summary;
  if (dryRun) note("dry run: nothing was sent");
  if (planPath !== undefined && !dryRun)
    note(
      `plan ${plan_id} is in ${planPath}; nothing was sent: voxctl plan show ${planPath}, voxctl apply ${planPath}`,
    );
  if (advice !== undefined) note(advice);
  const left = [
    ...(not_in_file > 0
      ? [`${formatCount(not_in_file, noun, plural)} in no ${unit}: --delete deletes them`]
      : []),
    ...(duplicate_contacts > 0
      ? [
          `${formatCount(duplicate_contacts, `duplicate ${noun}`, `duplicate ${plural}`)}: --delete-duplicates deletes them`,
        ]
      : []),
    ...(newer > 0 ? [`${newer} made or changed after the file: --delete-newer deletes them`] : []),
    ...(summary.protected > 0 ? [`${summary.protected} protected`] : []),
  ];
  if (left.length > 0) note(`left in the group: ${left.join("; ")}`);
  if (isSending && deleted > 0 && summary.run_id !== null)
    note(
      `${formatCount(deleted, `${noun} is`, `${plural} are`)} deleted, listed in ${report}; voxctl runs undo ${summary.run_id} takes it back`,
    );
  await session.output.item(summary, createSyncView(!isSending, options));
  assertComplete(summary, options);
  const differs = not_in_file + duplicate_contacts + newer + (isSending ? 0 : created + updated + deleted);
  if (check && differs > 0) {
    throw new CliError({
      exit: exits.differences,
      code: "differences",
      message: `group and ${unit === "file" ? "folder" : "file"} differ in ${formatCount(differs, noun, plural)}`,
      outcome: isSending && created + updated + deleted > 0 ? "done" : "none",
      hint: `they are listed in ${report}`,
    });
  }
  if (left.length > 0) note(`report: ${report}`);
  session.signal.throwIfAborted();
}

function assertComplete(summary: SyncSummary, { isSending, unit = "row" }: ShowOptions): void {
  const { invalid, ambiguous, partly, failed, drifted, unknown, created, updated, deleted, report } = summary;
  const hint = `they are listed in ${report}`;
  if (unknown > 0) {
    throw unknownError(`it is unknown whether ${formatCount(unknown, "write")} took effect`, hint);
  }
  const parts = [
    ...(invalid > 0 ? [`${formatCount(invalid, unit)} invalid`] : []),
    ...(partly > 0 ? [`${formatCount(partly, unit)} taken without a bad cell`] : []),
    ...(ambiguous > 0 ? [`${formatCount(ambiguous, unit)} with several matches`] : []),
    ...(failed > 0 ? [`${failed} rejected by the service`] : []),
    ...(drifted > 0 ? [`${drifted} changed by others and skipped`] : []),
  ];
  if (parts.length === 0) return;
  throw partlyDoneError(
    `the group is not wholly equal to the ${unit === "file" ? "folder" : "file"}: ${parts.join(", ")}`,
    isSending && created + updated + deleted > 0,
    hint,
  );
}
