import type { CommandGroup } from "../../../cli/session/command.js";
import { applyFleet } from "./apply.js";
import { listMembers } from "./list.js";
import { planFleet } from "./plan.js";
import { resumeRun } from "./resume.js";
import { runFleet } from "./run.js";
import { showRun } from "./show.js";
import { work } from "./work.js";

export const fleet: CommandGroup = {
  name: "fleet",
  summary: "Run a command for many organizations",
  description:
    "A members file lists the organizations and their labels. Each organization has a profile, or a URL and a key. See the guide: docs/guides/fleet.md.",
  commands: [listMembers, runFleet, planFleet, applyFleet, showRun, resumeRun, work],
};
