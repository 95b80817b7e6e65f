import type { CommandGroup } from "../../../cli/session/command.js";
import { discard } from "./discard.js";
import { exportRuns } from "./export.js";
import { listRuns } from "./list.js";
import { resumeRun } from "./resume.js";
import { undo } from "./undo.js";

export const runs: CommandGroup = {
  name: "runs",
  summary: "List, resume, undo and export bulk runs",
  commands: [listRuns, resumeRun, discard, undo, exportRuns],
};
