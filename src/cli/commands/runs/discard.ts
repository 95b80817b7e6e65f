import { addIgnoreNotFoundFlag } from "../../derive/ignore-not-found.js";
import { refusedError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { confirmLocally } from "../../session/confirm.js";
import { assertRunExists, runArgument } from "../bulk/one-run.js";
import { withRefusals } from "../bulk/refusals.js";
import { getRunsFolder } from "../bulk/target.js";

export const discard: Command = addIgnoreNotFoundFlag({
  name: "discard",
  summary: "Forget a run",
  description: "Its writes stay; it can be neither resumed nor undone any more.",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs discard 2aa82de186e4 --yes" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { discardRun, runInfo } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const folder = getRunsFolder(session);
      await assertRunExists(session, id);
      if ((await runInfo(folder, id)).state === "running") {
        throw refusedError("run_active", `the run ${id} is under way in another process; nothing was done`);
      }
      await confirmLocally(session, `Forget the run ${id}? It can't be gone on with or undone then.`);
      await discardRun(folder, id);
      await session.output.item({ id, deleted: true });
    }),
});
