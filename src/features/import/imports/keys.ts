/** An import whose rows have the caller's own keys: they match contacts before `--match` does. */
import type { InputRow } from "../../../write/input-row.js";
import type { Journal } from "../../../write/journal/journal.js";
import type { FileRow, GroupKeys, PlanStep } from "../../../write/plan/format.js";
import type { PlanWatch } from "../planning/plan.js";

/** The caller's own keys of an import's rows. */
export interface ImportKeys {
  /** Distinguishes the run from one of the same file without keys, or with others. */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * Opens the known keys for a new run.
   * @throws BulkError `unknown_column`, `state_busy`, `state_unreadable`, `state_of_other_group`
   */
  begin(journal: Journal): Promise<NewRunKeys>;
  /** Opens the known keys for a resumed run. */
  resume: ResumeKeys;
}

/** Opens the known keys of a run by its journal; undefined for a run without keys. */
export type ResumeKeys = (journal: Journal) => Promise<RunKeys | undefined>;

/** The keys of a run, until `release`. */
export interface RunKeys {
  /** How rows match resources by their keys. */
  readonly watch: PlanWatch;
  /** Stores which resource each key identifies, before the run is finished. */
  learn(): Promise<void>;
  release(): void;
}

export interface NewRunKeys extends RunKeys {
  /**
   * Yields the rows with their keys.
   * @throws BulkError `duplicate_key` at the end
   */
  rows(): AsyncIterable<InputRow>;
  /** Called once all rows were decided: from here on, it is known which keys the file lacks. */
  endFile(): void;
  /**
   * Checks the keys before the first write, and reports contacts with new keys.
   * @throws BulkError `keys_reassigned`, `map_lost`
   */
  assertAllowed(): void;
  /** The parts of a plan file, which updates the known keys when it is applied. */
  sealed(): { keys: GroupKeys; lines: Iterable<PlanStep | FileRow> };
}

/** The keys of one run, opened at most once. */
export interface HeldKeys {
  begin(keys: ImportKeys | undefined, journal: Journal): Promise<NewRunKeys | undefined>;
  /** The keys of a planned run. */
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
