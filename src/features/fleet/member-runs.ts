import { eachJournal, listRunIds } from "../../write/journal/read.js";

/**
 * Returns the IDs of the member's runs, oldest first. Skips runs that another process uses.
 * @param mark fleet run and member: `RUN/NAME`
 */
export async function findMemberRuns(folder: string, mark: string): Promise<string[]> {
  const found: { id: string; startedAt: number }[] = [];
  const skip = () => {};
  for await (const { id, journal } of eachJournal(folder, await listRunIds(folder), skip))
    if (journal.setting("fleet_member") === mark)
      found.push({ id, startedAt: journal.numberOf("started_at") });
  return found.sort((left, right) => left.startedAt - right.startedAt).map(({ id }) => id);
}

export function findRunId(summary: unknown): string | undefined {
  if (typeof summary !== "object" || summary === null) return undefined;
  if ("run_id" in summary && typeof summary.run_id === "string") return summary.run_id;
  return "run" in summary ? findRunId(summary.run) : undefined;
}
