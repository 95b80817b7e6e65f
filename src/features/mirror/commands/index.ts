import type { CommandGroup } from "../../../cli/session/command.js";
import { create } from "./create.js";
import { deleteCommand } from "./delete.js";
import { list } from "./list.js";
import { refresh } from "./refresh.js";

export const mirror: CommandGroup = {
  name: "mirror",
  summary: "Manage local copies of an organization",
  commands: [create, refresh, list, deleteCommand],
};
