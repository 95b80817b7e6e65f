import type { CommandGroup } from "../../session/command.js";
import { create } from "./create.js";
import { deleteCommand } from "./delete.js";
import { list } from "./list.js";
import { refresh } from "./refresh.js";

export const mirror: CommandGroup = {
  name: "mirror",
  summary: "Copies of an organization on this machine, to rehearse on",
  commands: [create, refresh, list, deleteCommand],
};
