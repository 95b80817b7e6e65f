import type { Database } from "../../base/database.js";

/** The result of a group's writes, available after its commit. */
export interface GroupOutcome {
  /** Whether the commit failed, for example on a full disk, so that no write of the group was stored. */
  isLost: boolean;
}

/**
 * Writes concurrent requests with one commit: each is a savepoint in the group's transaction, and none gets
 * its response before the commit. A commit costs as much as the rest of a small request.
 */
export class CommitGroup {
  private outcome: GroupOutcome | undefined;

  constructor(
    private readonly database: Database,
    /** @throws if the commit would go to a file that was removed or replaced */
    private readonly assertSameFile: () => void,
  ) {}

  /** The group that is not committed yet; reads may see its changes. */
  get current(): GroupOutcome | undefined {
    return this.outcome;
  }

  /** Adds the next transactions to the group, until it is committed. */
  join(): GroupOutcome {
    if (!this.outcome) {
      this.database.begin();
      this.outcome = { isLost: false };
    }
    return this.outcome;
  }

  /** Commits all writes since the first `join`, if any. */
  commit(): void {
    const { outcome } = this;
    if (!outcome) return;
    this.outcome = undefined;
    try {
      this.database.commit(this.assertSameFile);
    } catch {
      // A request that waits for the result then runs separately and gets the error itself.
      outcome.isLost = true;
    }
  }
}
