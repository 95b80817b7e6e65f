import { assertRunExists, runArgument } from "../../../cli/bulk/one-run.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import { addIgnoreNotFoundFlag } from "../../../cli/derive/ignore-not-found.js";
import { refusedError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { confirmLocally } from "../../../cli/session/confirm.js";

export const discard: Command = addIgnoreNotFoundFlag({
  name: "discard",
  summary: "Delete the record of a run",
  description: "The changes of the run are kept. You can no longer resume or undo it.",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs discard 2aa82de186e4 --yes" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { discardRun, runInfo } = await import("../../../write/index.js");
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
