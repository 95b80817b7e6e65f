import { addIgnoreNotFoundFlag } from "../../derive/ignore-not-found.js";
import { refusedError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { confirmLocally } from "../../session/confirm.js";
import { assertRunExists, runArgument } from "../bulk/one-run.js";
import { withRefusals } from "../bulk/refusals.js";
import { getRunsFolder } from "../bulk/target.js";

export const discard: Command = addIgnoreNotFoundFlag({
  name: "discard",
  summary: "Delete the record of a run",
  description: "The changes of the run are kept. You can no longer resume or undo it.",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs discard 2aa82de186e4 --yes" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { discardRun, runInfo } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const folder = getRunsFolder(session);
      await assertRunExists(session, id);
      if ((await runInfo(folder, id)).state === "running") {
        throw refusedError("run_active", `run ${id} is active in another process`);
      }
      await confirmLocally(session, `Discard run ${id}? You will no longer be able to resume or undo it.`);
      await discardRun(folder, id);
      await session.output.item({ id, deleted: true });
    }),
});
