import type { CommandGroup } from "../../../cli/session/command.js";
import { adopt } from "./adopt.js";
import { apply } from "./apply.js";
import { check } from "./check.js";
import { confirmSecrets } from "./confirm-secrets.js";
import { diff } from "./diff.js";
import { init } from "./init.js";
import { plan } from "./plan.js";
import { pull } from "./pull.js";
import { render } from "./render.js";

export const config: CommandGroup = {
  name: "config",
  summary: "Manage assistants as files in git: pull, plan and apply",
  description: `A directory of YAML and Markdown files describes the assistants, prompts, knowledge, forwardings, glossary, pronunciation, calendars and tools of one or more organizations. \`plan\` compares the directory with an organization, \`apply\` updates the organization, and \`pull\` updates the files.

voxctl never changes resources that have no file, and deletes resources only with --prune.

The service can't label resources, so voxctl can't detect that two directories manage the same resource. Use one directory per organization, or different groups in each directory.`,
  commands: [
    init,
    pull,
    check,
    diff,
    plan,
    apply,
    adopt,
    render,
    {
      name: "secrets",
      summary: "Manage secret fingerprints in the lock file",
      commands: [confirmSecrets],
    },
  ],
};
