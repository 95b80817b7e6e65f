import type { CommandGroup } from "../../session/command.js";
import { discard } from "./discard.js";
import { listRuns } from "./list.js";
import { resumeRun } from "./resume.js";
import { undo } from "./undo.js";

export const runs: CommandGroup = {
  name: "runs",
  summary: "Bulk runs: what they did, going on with them, undoing them",
  commands: [listRuns, resumeRun, discard, undo],
};
