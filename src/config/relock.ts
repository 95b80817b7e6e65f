/** The changes of a lock where nothing is sent: after a pull, an adoption, a secret that was confirmed. */
import {
  fileHashes,
  headersOf,
  liveHashes,
  nothing,
  type References,
  referenceKeyOf,
  secretNames,
} from "./codec.js";
import { isStoredSecret } from "./file-values.js";
import type { ConfigObject } from "./folder/objects.js";
import type { LiveRecord } from "./live.js";
import { type KeptHashes, keptHashesOf, type Lock, type LockLine } from "./lock.js";

/** A declared thing with what is live of it. */
export interface Pair {
  object: ConfigObject;
  id: string;
  record: LiveRecord | undefined;
  /** Live hashes that are known without the record. */
  known?: ReadonlyMap<string, string>;
  /** Conflicts that were decided for the file: what is live counts as seen, so that an apply sends the file's value. */
  seen?: ReadonlySet<string>;
}

/** U8: a secret that a file names, and of which nothing is known yet, leaves a mark: pull names it once. */
function secretsAfter(
  { secrets, spec }: ConfigObject,
  record: LiveRecord | undefined,
  before: LockLine["secrets"],
): Pick<LockLine, "secrets"> {
  const marks = [...secrets].filter(
    ([field, source]) =>
      source !== null &&
      record !== undefined &&
      (headersOf(spec, field) !== undefined || isStoredSecret(record, field)),
  );
  // A header whose file says its value now is none any more.
  const kept = Object.entries(before ?? {}).filter(
    ([field]) => secrets.has(field) || headersOf(spec, field) === undefined,
  );
  const after = { ...Object.fromEntries(marks.map(([field]) => [field, {}])), ...Object.fromEntries(kept) };
  return Object.keys(after).length === 0 ? {} : { secrets: after };
}

/**
 * Notes fields that file and live agree on; others stay as they were applied last. A thing that was not bound before is
 * adopted.
 */
export function agree(lock: Lock, pairs: readonly Pair[], references: References): void {
  for (const { object, id, record, known, seen } of pairs) {
    const before = lock.lines.get(object.key);
    const file = fileHashes(object, references);
    const live =
      record === undefined
        ? new Map<string, string>()
        : liveHashes(object, record, references, file.keys(), secretNames(object, before));
    for (const [field, hash] of known ?? []) live.set(field, hash);
    const applied: Record<string, KeptHashes> = {};
    let isEqual = true;
    for (const [field, hash] of file) {
      const kept = before?.applied[field];
      if ((live.get(field) ?? nothing) === hash && record !== undefined)
        applied[field] = keptHashesOf(hash, hash, referenceKeyOf(object, field));
      else if (seen?.has(field) === true && record !== undefined) {
        isEqual = false;
        const liveHash = live.get(field) ?? nothing;
        applied[field] = keptHashesOf(liveHash, liveHash, undefined);
      } else {
        isEqual = false;
        if (kept !== undefined) applied[field] = kept;
      }
    }
    lock.lines.set(object.key, {
      key: object.key,
      id,
      made: before?.made ?? false,
      source: isEqual ? object.source : (before?.source ?? ""),
      applied,
      ...secretsAfter(object, record, before?.secrets),
    });
  }
}
