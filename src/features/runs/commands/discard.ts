import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findKnownRuns } from "../../../cli/bulk/known-runs.js";
import { findRun, runArgument } from "../../../cli/bulk/one-run.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { addIgnoreNotFoundFlag } from "../../../cli/derive/ignore-not-found.js";
import { refusedError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { confirmLocally } from "../../../cli/session/confirm.js";

export const discard: Command = addIgnoreNotFoundFlag({
  name: "discard",
  summary: "Delete a run's record",
  description:
    "Deletes the run's file and its results file, which contain the values that the run wrote. The changes that the run made are kept, and `voxctl runs export` still lists them. You can no longer resume or undo the run. For a run in a store, the store key is required.",
  arguments: [runArgument],
  confirms: true,
  confirmsLocally: true,
  examples: [{ command: "voxctl runs discard 2aa82de186e4 --yes" }],
  run: (session, input) =>
    withRefusals(async () => {
      const [id = ""] = input.arguments;
      const { state } = await findRun(session, id);
      if (state === "running") {
        throw refusedError("run_active", `run ${id} is active in another process`);
      }
      await confirmLocally(
        session,
        `Delete the record of run ${id}? You will no longer be able to resume or undo the run.`,
      );
      await (await findKnownRuns(session)).discard(id);
      // Logs of a fleet run may contain personal data.
      await rm(join(session.folders.data, "fleet", id), { recursive: true, force: true });
      await session.output.item({ id, deleted: true });
    }),
});
