import { quoteWord } from "../../base/shell-words.js";
import { environmentName } from "../../contract/environment-variables.js";
import type { RunInfo } from "../../write/journal/list.js";

/** Returns the command that resumes a run. An undo is resumed by the command that started it. */
export async function findResumeCommand({
  id,
  kind,
  file,
  profile,
}: Pick<RunInfo, "id" | "kind" | "file" | "profile">): Promise<string> {
  if (kind === "fleet") return `voxctl fleet resume ${id}`;
  if (kind === "fleet.undo") return `voxctl ${file}`;
  const { undoneRunOf } = await import("../../write/index.js");
  const undone = undoneRunOf(id);
  if (undone !== undefined) return `voxctl runs undo ${undone}`;
  if (file?.startsWith("config apply --target ") !== true) return `voxctl runs resume ${id}`;
  const isStored = profile !== null && profile !== environmentName;
  return `voxctl ${file}${isStored ? ` --profile ${quoteWord(profile)}` : ""}`;
}
