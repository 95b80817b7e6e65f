import { attributableAnswer } from "../../../write/answered.js";
import type { Existing } from "../../../write/existing.js";
import { fingerprintOf, pick } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import { identityOf, type RunIdentity } from "../../../write/journal/identity.js";
import type { RunInfo } from "../../../write/journal/list.js";
import { remembered } from "../../../write/journal/outcome.js";
import { eachJournal } from "../../../write/journal/read.js";
import { recordOf } from "../../../write/values.js";

/**
 * Reads the writes of earlier runs to this group into `existing`, newest run first. Skips undone runs, and
 * runs that another process is using.
 */
export async function readMemory(
  folder: string,
  earlier: readonly RunInfo[],
  { world, group_id }: RunIdentity,
  adapter: ImportAdapter,
  existing: Existing,
): Promise<void> {
  for await (const { journal } of eachReadable(folder, earlier)) {
    const identity = identityOf(journal);
    if (identity?.world !== world) continue;
    const isPlan = identity.kind === "apply";
    for (const item of remembered(journal)) {
      const { target = "", input, body, answer, detail } = item;
      if (isPlan && !isAbout(adapter.type, group_id, detail, answer)) continue;
      // The body in a plan file is the whole request, so take only the fields of the row.
      const fields = recordOf(isPlan ? pick(recordOf(body), adapter.fields) : (input ?? body));
      const fingerprint = fingerprintOf(adapter.fields, fields);
      const { indexed } = adapter.keysOf(fields);
      const known = { id: target, input: fields, answer: attributableAnswer(journal, item, fields) };
      existing.addKnown({ ...known, fingerprint }, indexed);
    }
  }
}

/** If several imports wrote a resource, returns the file of the newest import. */
export async function findSourceFiles(
  folder: string,
  earlier: readonly RunInfo[],
): Promise<Map<string, string>> {
  const sourceFiles = new Map<string, string>();
  for await (const { journal } of eachReadable(folder, earlier)) {
    for (const { target = "", detail } of remembered(journal)) {
      const { file } = recordOf(detail);
      if (typeof file === "string" && !sourceFiles.has(target)) sourceFiles.set(target, file);
    }
  }
  return sourceFiles;
}

function isAbout(type: string, groupId: string, detail: unknown, responseData: unknown): boolean {
  const { op } = recordOf(detail);
  const isWritten = op === `${type}.create` || op === `${type}.update`;
  return isWritten && recordOf(responseData)["group_id"] === groupId;
}

/** Skips undone runs, and journals that are locked or unreadable. */
function eachReadable(folder: string, runs: readonly RunInfo[]) {
  const readable = runs.filter(({ state }) => state !== "undone" && state !== "running");
  return eachJournal(
    folder,
    readable.map(({ id }) => id),
    () => {},
  );
}
