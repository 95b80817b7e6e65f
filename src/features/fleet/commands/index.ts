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
  description: `A members file, such as voxctl.fleet.yaml, lists the organizations with their profiles and labels:

  version: 1
  members:
    praxis-weiss: { profile: weiss, labels: { kind: dental } }
    praxis-kern: { profile: kern, labels: { kind: dental } }

In a file that you pass with --fleet, a member can have a URL and the source of its key instead of a profile: { url: https://HOST/api/v1, key: "env:NAME" }. See the guide: docs/guides/fleet.md.`,
  commands: [listMembers, runFleet, planFleet, applyFleet, showRun, resumeRun, work],
};
