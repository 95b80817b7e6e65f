import { constants, copyFileSync, existsSync } from "node:fs";
import type { Clock } from "../../base/clock.js";
import { openDatabase } from "../../base/database.js";
import type { Random } from "../../base/random.js";
import { forkSchema } from "../database/schema/fork.js";

interface ForkOptions {
  /** A `virtual` clock starts at the current time. Each wait advances the clock. */
  clock: "real" | "virtual";
  /** Duration of each request, in milliseconds, by the fork's clock. */
  latencyMilliseconds: number;
  systemClock: Clock;
  random: Random;
}

/** The database must be closed; on some file systems, the copy shares disk blocks with it. */
export function copyDatabaseFile(from: string, to: string): void {
  for (const suffix of ["", ".key"])
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix, constants.COPYFILE_FICLONE);
}

/**
 * Copies the resources, but not the counted requests, the faults and the log. The database must be closed and
 * have the current format.
 */
export async function createFork(base: string, fork: string, options: ForkOptions): Promise<void> {
  const { clock, latencyMilliseconds, systemClock, random } = options;
  copyDatabaseFile(base, fork);
  const database = await openDatabase(fork);
  try {
    // The columns contain integers, but a clock can return fractions of a millisecond.
    const now = Math.round(systemClock.now());
    database.transaction(() => {
      database.exec(forkSchema);
      database
        .prepare("INSERT INTO fork (id, started_at, latency_ms) VALUES (1, ?, ?)")
        .run(now, Math.round(latencyMilliseconds));
      // IDs created in the fork must differ from those created in the source and in other forks.
      database
        .prepare(
          `UPDATE world SET world_id = ?, id_prefix = ?, clock_mode = ?, clock_frozen = ?, clock_offset = 0, clock_latest = 0`,
        )
        .run(random.bytes(12).toString("hex"), random.bytes(5).toString("hex"), clock, now);
      database.exec(
        "DELETE FROM windows; DELETE FROM faults; DELETE FROM requests; DELETE FROM absent_reads",
      );
    });
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}
