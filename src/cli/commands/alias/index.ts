import type { CommandGroup } from "../../session/command.js";
import { deleteAlias } from "./delete.js";
import { listAliases } from "./list.js";
import { setAlias } from "./set.js";

export const alias: CommandGroup = {
  name: "alias",
  summary: "Names for command lines that are typed often",
  description:
    "An alias stands for the first words of a command line of voxctl; it runs no other program. Words typed after it follow at the end, or stands where the alias has $1, $2.",
  commands: [setAlias, listAliases, deleteAlias],
};
