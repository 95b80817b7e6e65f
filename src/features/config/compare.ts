/**
 * Compares three states: the file, the live state and the state applied last. Pure: maps of hashes in, verdicts out.
 */

/** The state that was applied last: hashes of the value sent and of the value in the response. */
export interface Applied {
  sent: string;
  returned: string;
}

/** The hashes of a field. Undefined: not in the file, or never applied. */
interface FieldState {
  file: string | undefined;
  live: string;
  applied: Applied | undefined;
}

export type Verdict =
  | "in_sync"
  /** File and live are equal, but the lock is outdated. */
  | "agreed"
  /** Only the file changed. */
  | "changed"
  /** Only the live value changed. */
  | "drift"
  | "conflict"
  /** For a resource that becomes bound now. */
  | "first_equal"
  | "first_different"
  /** For a field that is new in the file. */
  | "newly_equal"
  | "newly_different"
  /** The field was removed from the file; its live value is kept. */
  | "no_longer_managed";

/**
 * Returns the verdict for a field; the first matching line decides.
 * @param isBound whether the resource was bound before
 * @returns undefined for a field that is neither in the file nor in the lock
 */
function compareField({ file, live, applied }: FieldState, isBound: boolean): Verdict | undefined {
  if (file === undefined) return applied === undefined ? undefined : "no_longer_managed";
  if (!isBound) return file === live ? "first_equal" : "first_different";
  if (applied === undefined) return file === live ? "newly_equal" : "newly_different";
  const isFileSame = file === applied.sent;
  const isLiveSame = live === applied.returned;
  if (isFileSame && isLiveSame) return "in_sync";
  if (file === live) return "agreed";
  if (isLiveSame) return "changed";
  return isFileSame ? "drift" : "conflict";
}

/** Returns the verdict for every field that a resource has in the file or the lock. */
export function compareFields(
  file: ReadonlyMap<string, string>,
  live: ReadonlyMap<string, string>,
  applied: ReadonlyMap<string, Applied> | undefined,
  /** The hash of an empty value, for fields that the service doesn't return. */
  nothing: string,
): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const field of new Set([...file.keys(), ...(applied?.keys() ?? [])])) {
    const state = { file: file.get(field), live: live.get(field) ?? nothing, applied: applied?.get(field) };
    const verdict = compareField(state, applied !== undefined);
    if (verdict !== undefined) verdicts.set(field, verdict);
  }
  return verdicts;
}

/** State of a resource as a whole. */
export type Standing =
  | "create"
  /** Exactly one unbound live resource has the file's name. */
  | "needs_adopt"
  | "ambiguous"
  | "compare"
  /** Bound, but deleted in the service. */
  | "gone"
  | "prune_candidate"
  /** Neither in the files nor live: its lock line is removed. */
  | "forgotten"
  | "unmanaged";

/**
 * Returns the state of a resource as a whole, from its file, lock line and live state.
 * @param live for a bound resource, 1 if it exists; for an unbound one, the number of resources with its name
 */
export function standingOf({ file, lock, live }: { file: boolean; lock: boolean; live: number }): Standing {
  if (file && lock) return live > 0 ? "compare" : "gone";
  if (file) return live === 0 ? "create" : live === 1 ? "needs_adopt" : "ambiguous";
  if (lock) return live > 0 ? "prune_candidate" : "forgotten";
  return "unmanaged";
}
