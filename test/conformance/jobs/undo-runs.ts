import assert from "node:assert/strict";
import { type Bench, parseOutput } from "../harness/bench.js";

/**
 * Undoes every run, newest first. There are two runs if the command was killed at its end and then repeated.
 * @returns whether each undo was complete and confirmed, and the number of deleted resources
 */
export async function undoRuns(bench: Bench): Promise<{ certain: boolean; deleted: number }> {
  const list = await bench.run("runs", "list", "--all", "-o", "json");
  assert.equal(list.code, 0, list.stderr);
  let certain = true;
  let deleted = 0;
  for (const { id, state } of parseOutput(list)) {
    if (state !== "finished" || id.endsWith("-undo")) continue;
    const undone = await bench.run(
      "runs",
      "undo",
      id,
      "--yes",
      "--include-matched",
      "-o",
      "json",
      ...bench.settle,
    );
    const { code, stderr } = undone;
    const result = parseOutput(undone);
    // An undo that keeps another user's changes exits with 68.
    const isWhole = code === 0 || (code === 68 && result.failed === 0);
    assert.ok(isWhole || (code === 75 && bench.lossy), `exit ${code}: ${stderr}`);
    certain &&= isWhole;
    deleted += result.deleted;
  }
  return { certain, deleted };
}
