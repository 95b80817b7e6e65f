import type { CommandGroup } from "../../../cli/session/command.js";
import { check } from "./check.js";
import { show } from "./show.js";

export const plan: CommandGroup = {
  name: "plan",
  summary: "Show, check and apply plan files",
  commands: [
    show,
    check,
    {
      name: "apply",
      summary: "Apply a plan file",
      load: async () => (await import("./apply.js")).planApply,
    },
  ],
};
