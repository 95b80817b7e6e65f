import type { Database } from "../../base/database.js";

/** The result of a group of writes, available after the commit. */
export interface GroupOutcome {
  /** Whether the commit failed, for example because the disk is full, so that no write in the group was stored. */
  isLost: boolean;
}

/**
 * Commits the writes of concurrent requests together. Each request is a savepoint in the group's transaction, and no request gets its
 * response before the commit. A commit costs as much as the rest of a small request.
 */
export class CommitGroup {
  private outcome: GroupOutcome | undefined;

  constructor(
    private readonly database: Database,
    /** @throws UnusableFileError if the database file was removed or replaced */
    private readonly assertSameFile: () => void,
  ) {}

  /** The group that is not committed yet; reads may see its changes. */
  get current(): GroupOutcome | undefined {
    return this.outcome;
  }

  /** Adds the following transactions to the group until it is committed. */
  join(): GroupOutcome {
    if (!this.outcome) {
      this.database.begin();
      this.outcome = { isLost: false };
    }
    return this.outcome;
  }

  /** Commits all writes since the first `join`, if there are any. */
  commit(): void {
    const { outcome } = this;
    if (!outcome) return;
    this.outcome = undefined;
    try {
      this.database.commit(this.assertSameFile);
    } catch {
      // Requests that wait for the result then run separately and get the error themselves.
      outcome.isLost = true;
    }
  }
}
