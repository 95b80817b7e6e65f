/** Updates a lock after a pull or an adoption, without requests. */
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

export interface Pair {
  object: ConfigObject;
  id: string;
  record: LiveRecord | undefined;
  /** Hashes of live values, if a comparison has already computed them. */
  known?: ReadonlyMap<string, string>;
  /**
   * Conflicting fields for which the user chose the file's value. The next apply overwrites the live values.
   */
  seen?: ReadonlySet<string>;
}

/** A secret without a state gets an empty state, because `pull` would otherwise add the secret again. */
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
  // Drop a header whose value is in the file, because it is no longer a secret.
  const kept = Object.entries(before ?? {}).filter(
    ([field]) => secrets.has(field) || headersOf(spec, field) === undefined,
  );
  const after = { ...Object.fromEntries(marks.map(([field]) => [field, {}])), ...Object.fromEntries(kept) };
  return Object.keys(after).length === 0 ? {} : { secrets: after };
}

/**
 * Stores hashes for fields whose file and live values are equal. Other fields keep their hashes. A resource
 * without a lock entry is adopted.
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
