import type { CommandGroup } from "../../../cli/session/command.js";
import { discard } from "./discard.js";
import { listRuns } from "./list.js";
import { resumeRun } from "./resume.js";
import { undo } from "./undo.js";

export const runs: CommandGroup = {
  name: "runs",
  summary: "List, resume and undo bulk runs",
  commands: [listRuns, resumeRun, discard, undo],
};
