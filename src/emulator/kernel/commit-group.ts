import type { Database } from "../../base/database.js";

/** The result of a group's writes; to be looked at once it is committed. */
export interface GroupOutcome {
  /** Whether the commit failed, for example on a full disk, so that no write of the group was stored. */
  isLost: boolean;
}

/**
 * Requests that arrive together are written by one commit: each is a savepoint in the group's transaction, and none is
 * answered before the commit. A commit costs as much as the rest of a small request.
 */
export class CommitGroup {
  private outcome: GroupOutcome | undefined;

  constructor(
    private readonly database: Database,
    /** @throws where what is committed would be in no file that anybody finds */
    private readonly assertSameFile: () => void,
  ) {}

  /** The group that is not committed yet: what is read now may be part of it. */
  get current(): GroupOutcome | undefined {
    return this.outcome;
  }

  /** Makes the next transactions part of the group, until it is committed. */
  join(): GroupOutcome {
    if (!this.outcome) {
      this.database.begin();
      this.outcome = { isLost: false };
    }
    return this.outcome;
  }

  /** Commits what was written since the first `join`, if anything was. */
  commit(): void {
    const { outcome } = this;
    if (!outcome) return;
    this.outcome = undefined;
    try {
      this.database.commit(this.assertSameFile);
    } catch {
      // A request that waits for the outcome does its work again by itself, and gets the error then.
      outcome.isLost = true;
    }
  }
}
