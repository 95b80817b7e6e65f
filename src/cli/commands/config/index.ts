import type { CommandGroup } from "../../session/command.js";
import { adopt } from "./adopt.js";
import { apply } from "./apply.js";
import { check } from "./check.js";
import { confirmSecrets } from "./confirm-secrets.js";
import { diff } from "./diff.js";
import { fmt } from "./fmt.js";
import { forget } from "./forget.js";
import { init } from "./init.js";
import { plan } from "./plan.js";
import { pull } from "./pull.js";
import { render } from "./render.js";

export const config: CommandGroup = {
  name: "config",
  summary: "Configuration as code: assistants and what they use, as files in git",
  description: `A folder of YAML and Markdown files describes assistants, prompts, knowledge, forwardings, glossary, pronunciation, calendars and tools for one or several organizations. plan compares it with an organization, apply makes the organization equal to it, pull brings changes of the organization into the files.

What the files don't name is never touched, and nothing is deleted without --prune.

The service has no labels, so two directories that manage the same resource can't detect each other. Use one directory per organization, or different groups in each.`,
  commands: [
    init,
    pull,
    check,
    diff,
    plan,
    apply,
    adopt,
    forget,
    render,
    fmt,
    {
      name: "secrets",
      summary: "Tell the lock about secrets",
      commands: [confirmSecrets],
    },
  ],
};
