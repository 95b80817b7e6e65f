import type { CommandGroup } from "../../session/command.js";
import { deleteAlias } from "./delete.js";
import { listAliases } from "./list.js";
import { setAlias } from "./set.js";

export const alias: CommandGroup = {
  name: "alias",
  summary: "Manage aliases for command lines",
  description:
    "voxctl replaces an alias with its command line. Words after the alias replace $1, $2 and so on, or are added at the end.",
  commands: [setAlias, listAliases, deleteAlias],
};
