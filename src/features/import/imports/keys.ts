/**
 * Imports whose rows have the user's own keys, such as customer numbers. Keys take precedence over `--match`.
 */
import type { InputRow } from "../../../write/input-row.js";
import type { Journal } from "../../../write/journal/journal.js";
import type { FileRow, GroupKeys, PlanStep } from "../../../write/plan/format.js";
import type { PlanWatch } from "../planning/plan.js";

export interface ImportKeys {
  /** A run with different keys, or without keys, is a different run. */
  readonly options: Readonly<Record<string, unknown>>;
  /** @throws BulkError `unknown_column`, `state_busy`, `state_unreadable`, `state_of_other_group` */
  begin(journal: Journal): Promise<NewRunKeys>;
  resume: ResumeKeys;
}

/** Opens the key map of a resumed run; returns undefined for a run without keys. */
export type ResumeKeys = (journal: Journal) => Promise<RunKeys | undefined>;

/** A run's open key map. The caller must call `release`. */
export interface RunKeys {
  readonly watch: PlanWatch;
  /** Stores the resource of each key. Called before the run is marked as finished. */
  learn(): Promise<void>;
  release(): void;
}

export interface NewRunKeys extends RunKeys {
  /** @throws BulkError `duplicate_key` after the last row */
  rows(): AsyncIterable<InputRow>;
  /** Called after the last row, because only then is it known which keys the file lacks. */
  endFile(): void;
  /**
   * Checks the keys before the first write. Reports contacts that get a different key.
   * @throws BulkError `keys_reassigned`, `map_lost`
   */
  assertAllowed(): void;
  /** Returns the lines of a plan file that update the key map when the plan is applied. */
  sealed(): { keys: GroupKeys; lines: Iterable<PlanStep | FileRow> };
}

/** Opens a run's key map at most once. */
export interface HeldKeys {
  begin(keys: ImportKeys | undefined, journal: Journal): Promise<NewRunKeys | undefined>;
  /** Opens the key map if the run was resumed. */
  of(journal: Journal): Promise<RunKeys | undefined>;
}

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
