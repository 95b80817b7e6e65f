/**
 * Imports whose rows have the user's own keys, such as customer numbers. Keys take precedence over `--match`.
 */
import type { InputRow } from "../../../write/input-row.js";
import type { Journal } from "../../../write/journal/journal.js";
import type { FileRow, GroupKeys, PlanStep } from "../../../write/plan/format.js";
import type { PlanWatch } from "../planning/plan.js";

export interface ImportKeys {
  /**
   * Options that identify the keys. A run for the same file without keys, or with different keys, is a different run.
   */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * Opens the key map for a new run.
   * @throws BulkError `unknown_column`, `state_busy`, `state_unreadable`, `state_of_other_group`
   */
  begin(journal: Journal): Promise<NewRunKeys>;
  /** Opens the key map for a resumed run. */
  resume: ResumeKeys;
}

/** Opens a run's key map from its journal; returns undefined for a run without keys. */
export type ResumeKeys = (journal: Journal) => Promise<RunKeys | undefined>;

/** A run's open key map. The caller must call `release`. */
export interface RunKeys {
  /** Callbacks that match rows to resources by key. */
  readonly watch: PlanWatch;
  /** Stores which resource each key identifies; called before the run is marked as finished. */
  learn(): Promise<void>;
  release(): void;
}

export interface NewRunKeys extends RunKeys {
  /**
   * Yields the rows with their keys.
   * @throws BulkError `duplicate_key` after the last row
   */
  rows(): AsyncIterable<InputRow>;
  /** Called after the last row, when it is known which keys the file lacks. */
  endFile(): void;
  /**
   * Checks the keys before the first write, and reports contacts with new keys.
   * @throws BulkError `keys_reassigned`, `map_lost`
   */
  assertAllowed(): void;
  /** Returns lines for a plan file. They update the key map when the plan is applied. */
  sealed(): { keys: GroupKeys; lines: Iterable<PlanStep | FileRow> };
}

/** Opens a run's keys at most once. */
export interface HeldKeys {
  begin(keys: ImportKeys | undefined, journal: Journal): Promise<NewRunKeys | undefined>;
  /** Returns the keys of a run that was already planned. */
  of(journal: Journal): Promise<RunKeys | undefined>;
}

/** Runs `work`, then releases the keys that it opened. */
export async function withKeys<T>(
  resume: ResumeKeys | undefined,
  work: (held: HeldKeys) => Promise<T>,
): Promise<T> {
  let held: RunKeys | undefined;
  try {
    return await work({
      async begin(keys, journal) {
        const begun = await keys?.begin(journal);
        held = begun;
        return begun;
      },
      async of(journal) {
        held ??= await resume?.(journal);
        return held;
      },
    });
  } finally {
    held?.release();
  }
}
