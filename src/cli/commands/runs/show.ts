import type { Command } from "../../session/command.js";
import { assertRunExists, runArgument } from "../bulk/one-run.js";
import { withRefusals } from "../bulk/refusals.js";
import { getRunsFolder } from "../bulk/target.js";

export const showRun: Command = {
  name: "show",
  summary: "Show what is known of a run",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs show 2aa82de186e4" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { runInfo } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      await assertRunExists(session, id);
      await session.output.item(await runInfo(getRunsFolder(session), id));
    }),
};
