import { stopwatch } from "../../../base/clock.js";
import { formatCount, inflect } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { PlanSource } from "../../../write/plan/read.js";
import type { TargetContext } from "./target-context.js";

const pauseMilliseconds = 2_000;

/** Returns the keys of changed knowledge items. */
export async function listTextKeys(plan: PlanSource): Promise<string[]> {
  const keys = new Set<string>();
  for await (const entry of plan.entries()) {
    if (entry.type !== "step" || entry.step.key === undefined) continue;
    if (/^knowledge\.(?:create|update)$/.test(entry.step.op)) keys.add(entry.step.key);
  }
  return [...keys];
}

/** @throws CliError with exit code 11 if indexing failed, 8 on a timeout */
export async function awaitIndexing(
  targetContext: TargetContext,
  keys: readonly string[],
  milliseconds: number,
): Promise<void> {
  const { readRecords } = await import("../index.js");
  const { session, connection, lockFile } = targetContext;
  const ids = new Map<string, string>();
  for (const key of keys) {
    const id = lockFile.lock.lines.get(key)?.id;
    if (id !== undefined) ids.set(id, key);
  }
  if (ids.size === 0 || milliseconds === 0) return;
  const begun = stopwatch(connection.clock);
  const failed: string[] = [];
  session.notes.note(`Waiting for ${formatCount(ids.size, "knowledge item")} to be indexed…`);
  for (;;) {
    const open = [...ids.keys()];
    const read = await readRecords(
      { client: connection.client, signal: session.signal },
      open.map((id) => ({ resource: "knowledge", id })),
    );
    for (const [index, id] of open.entries()) {
      const status = Object(read[index]?.["sync_status"]);
      if (status.state === "failed") failed.push(ids.get(id) ?? id);
      if (
        read[index] === null ||
        status.state === "failed" ||
        status.state === "synced" ||
        status.state === undefined
      )
        ids.delete(id);
    }
    if (ids.size === 0) break;
    if (stopwatch(connection.clock) - begun >= milliseconds)
      throw new CliError({
        exit: exits.pending,
        code: "still_indexing",
        message: `${formatCount(ids.size, "knowledge item")} ${inflect(ids.size, "is", "are")} still being indexed: ${[...ids.values()].slice(0, 5).join(", ")}`,
        outcome: "done",
        hint: "to wait longer, run `voxctl knowledge wait`",
      });
    await connection.clock.sleep(pauseMilliseconds, session.signal);
  }
  if (failed.length > 0)
    throw new CliError({
      exit: exits.endedBadly,
      code: "indexing_failed",
      message: `${formatCount(failed.length, "knowledge item")} could not be indexed: ${failed.join(", ")}`,
      outcome: "done",
    });
}
