import { BulkError } from "../../../write/errors.js";
import type { Existing } from "../../../write/existing.js";
import { fingerprintOf, pick } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import { pathOf } from "../../../write/journal/folder.js";
import { identityOf, type RunIdentity } from "../../../write/journal/identity.js";
import { Journal } from "../../../write/journal/journal.js";
import type { RunInfo } from "../../../write/journal/list.js";
import { remembered } from "../../../write/journal/outcome.js";
import { recordOf } from "../../../write/values.js";

/**
 * Stores the changes that earlier runs made to the same group, newest first, with the row, the sent fields and the
 * response. Skips runs that were undone or that another process is using.
 */
export async function readMemory(
  folder: string,
  earlier: readonly RunInfo[],
  { world, group_id }: RunIdentity,
  adapter: ImportAdapter,
  existing: Existing,
): Promise<void> {
  for (const { id, state, kind } of earlier) {
    if (state === "undone" || state === "running") continue;
    const journal = await opened(pathOf(folder, id));
    if (journal === undefined) continue;
    try {
      if (identityOf(journal)?.world !== world) continue;
      for (const { target = "", input, body, answer, detail } of remembered(journal)) {
        const isPlan = kind === "apply";
        if (isPlan && !isAbout(adapter.type, group_id, detail, answer)) continue;
        // A step of a plan file contains the whole request.
        const fields = recordOf(isPlan ? pick(recordOf(body), adapter.fields) : (input ?? body));
        const fingerprint = fingerprintOf(adapter.fields, fields);
        const { indexed } = adapter.keysOf(fields);
        existing.addKnown({ id: target, fingerprint, input: fields, answer: recordOf(answer) }, indexed);
      }
    } finally {
      journal.close();
    }
  }
}

/**
 * Returns the source file of each resource that earlier directory imports created, by resource id. The newest
 * import takes precedence.
 */
export async function findSourceFiles(
  folder: string,
  earlier: readonly RunInfo[],
): Promise<Map<string, string>> {
  const sourceFiles = new Map<string, string>();
  for (const { id, state } of earlier) {
    if (state === "undone" || state === "running") continue;
    const journal = await opened(pathOf(folder, id));
    if (journal === undefined) continue;
    try {
      for (const { target = "", detail } of remembered(journal)) {
        const { file } = recordOf(detail);
        if (typeof file === "string" && !sourceFiles.has(target)) sourceFiles.set(target, file);
      }
    } finally {
      journal.close();
    }
  }
  return sourceFiles;
}

/** Returns whether a step of a plan file wrote a resource of this type to this group. */
function isAbout(type: string, groupId: string, detail: unknown, responseData: unknown): boolean {
  const { op } = recordOf(detail);
  const isWritten = op === `${type}.create` || op === `${type}.update`;
  return isWritten && recordOf(responseData)["group_id"] === groupId;
}

/** Opens a journal; returns undefined if another process has locked it or a different version of voxctl wrote it. */
async function opened(path: string): Promise<Journal | undefined> {
  try {
    return await Journal.open(path, { create: false });
  } catch (error) {
    if (error instanceof BulkError) return undefined;
    throw error;
  }
}
