/**
 * The three-way comparison: what a file says, what is live, what was applied last. Pure: maps of hashes in, verdicts out.
 */

/** The state that was applied last: the value as it was sent, and as the service answered it. */
export interface Applied {
  sent: string;
  returned: string;
}

/** One field as hashes. Undefined: the file does not name it, or it was never applied. */
interface FieldState {
  file: string | undefined;
  live: string;
  applied: Applied | undefined;
}

export type Verdict =
  | "in_sync"
  /** File and live are equal, and the lock is behind. */
  | "agreed"
  /** The file changed. */
  | "changed"
  /** Live changed. */
  | "drift"
  | "conflict"
  /** Set for a thing that is bound only now. */
  | "first_equal"
  | "first_different"
  /** A field that the file names only now. */
  | "newly_equal"
  | "newly_different"
  /** The file no longer names it: it stays live as it is (F3). */
  | "no_longer_managed";

/**
 * The first line that fits a field decides.
 * @param isBound the thing was bound before
 * @returns undefined of a field that neither the file nor the lock knows
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

/** Every field of a thing that the file or the lock names, with its verdict. */
export function compareFields(
  file: ReadonlyMap<string, string>,
  live: ReadonlyMap<string, string>,
  applied: ReadonlyMap<string, Applied> | undefined,
  /** The hash of no value: what is not shown has none. */
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

/** How a thing stands as a whole. */
export type Standing =
  | "create"
  /** Live exactly once under its name, and bound to nothing (L4). */
  | "needs_adopt"
  | "ambiguous"
  | "compare"
  /** Bound, and gone. */
  | "gone"
  | "prune_candidate"
  /** Neither file nor live has it: its line goes. */
  | "forgotten"
  | "unmanaged";

/**
 * The second table: by file, lock and live.
 * @param live of a bound thing whether a get shows it; of an unbound one how many have its name
 */
export function standingOf({ file, lock, live }: { file: boolean; lock: boolean; live: number }): Standing {
  if (file && lock) return live > 0 ? "compare" : "gone";
  if (file) return live === 0 ? "create" : live === 1 ? "needs_adopt" : "ambiguous";
  if (lock) return live > 0 ? "prune_candidate" : "forgotten";
  return "unmanaged";
}
