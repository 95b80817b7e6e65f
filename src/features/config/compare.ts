/** Compares a resource's file, its live state and its last applied state. Pure: uses only hashes. */

export interface Applied {
  sent: string;
  returned: string;
}

/** `file` is undefined if the file lacks the field. `applied` is undefined if the field was never applied. */
interface FieldState {
  file: string | undefined;
  live: string;
  applied: Applied | undefined;
}

export type Verdict =
  | "in_sync"
  /** The file equals the live resource, but the lock file is outdated. */
  | "agreed"
  /** Only the file changed. */
  | "changed"
  /** Only the live value changed. */
  | "drift"
  | "conflict"
  /** This command binds the resource. */
  | "first_equal"
  | "first_different"
  /** The field is new in the file. */
  | "newly_equal"
  | "newly_different"
  /** The field was removed from the file. Its live value is kept. */
  | "no_longer_managed";

/**
 * @param isBound whether the resource had a lock entry before this command
 * @returns undefined if both file and lock entry lack the field
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

export function compareFields(
  file: ReadonlyMap<string, string>,
  live: ReadonlyMap<string, string>,
  applied: ReadonlyMap<string, Applied> | undefined,
  /** Hash of an empty value, which stands for a field that the service doesn't return. */
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

export type Standing =
  | "create"
  /** Exactly one unbound live resource has the file's name. */
  | "needs_adopt"
  | "ambiguous"
  | "compare"
  /** Bound, but deleted in the service. */
  | "gone"
  | "prune_candidate"
  /** The lock entry has neither a file nor a live resource, so voxctl will remove it. */
  | "forgotten"
  | "unmanaged";

/**
 * @param live number of live resources with the lock entry's ID or, without a lock entry, with the file's
 * name
 */
export function standingOf({ file, lock, live }: { file: boolean; lock: boolean; live: number }): Standing {
  if (file && lock) return live > 0 ? "compare" : "gone";
  if (file) return live === 0 ? "create" : live === 1 ? "needs_adopt" : "ambiguous";
  if (lock) return live > 0 ? "prune_candidate" : "forgotten";
  return "unmanaged";
}
