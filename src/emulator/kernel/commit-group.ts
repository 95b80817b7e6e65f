import type { Database } from "../../base/database.js";

export interface GroupOutcome {
  /** Whether the commit failed, so that no write of the group was stored. */
  isLost: boolean;
}

/**
 * Commits the writes of concurrent requests together, because a commit takes as long as all other work of a
 * small request. Each request is a savepoint in a common transaction, and gets its response after the commit.
 */
export class CommitGroup {
  private outcome: GroupOutcome | undefined;

  constructor(
    private readonly database: Database,
    /** @throws UnusableFileError if the database file was removed or replaced */
    private readonly assertSameFile: () => void,
  ) {}

  /** Reads can already see the group's changes. */
  get current(): GroupOutcome | undefined {
    return this.outcome;
  }

  /** All transactions until the next commit belong to the group. */
  join(): GroupOutcome {
    if (!this.outcome) {
      this.database.begin();
      this.outcome = { isLost: false };
    }
    return this.outcome;
  }

  commit(): void {
    const { outcome } = this;
    if (!outcome) return;
    this.outcome = undefined;
    try {
      this.database.commit(this.assertSameFile);
    } catch {
      // Each request of the group then runs again separately and reports the error itself.
      outcome.isLost = true;
    }
  }
}
