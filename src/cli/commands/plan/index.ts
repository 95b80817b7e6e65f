import type { CommandGroup } from "../../session/command.js";
import { check } from "./check.js";
import { show } from "./show.js";

export const plan: CommandGroup = {
  name: "plan",
  summary: "Plans: what a bulk command is going to do, sealed in a file",
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
