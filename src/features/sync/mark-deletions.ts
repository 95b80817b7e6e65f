import type { ApplyTask } from "../../write/plan/task.js";

/**
 * Calls `mark` with the IDs of the resources that the run deleted, even if the run failed. If both fail, throws
 * the run's error.
 */
export async function withMarkedDeletions<T>(
  run: (ended: NonNullable<ApplyTask["ended"]>) => Promise<T>,
  mark: (deletedIds: ReadonlySet<string>) => Promise<void>,
): Promise<T> {
  const deletedIds = new Set<string>();
  const markDeletions = async () => {
    if (deletedIds.size > 0) await mark(deletedIds);
  };
  const result = await run((results) => {
    for (const { step, id } of results) if (step.op.endsWith(".delete")) deletedIds.add(id);
  }).catch(async (error: unknown) => {
    await markDeletions().catch(() => {});
    throw error;
  });
  await markDeletions();
  return result;
}
