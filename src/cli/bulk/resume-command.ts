import type { RunInfo } from "../../write/journal/list.js";

/** Returns the command that resumes a run. An undo is resumed by the command that started it. */
export async function findResumeCommand({
  id,
  kind,
  file,
}: Pick<RunInfo, "id" | "kind" | "file">): Promise<string> {
  if (kind === "fleet") return `voxctl fleet resume ${id}`;
  if (kind === "fleet.undo") return `voxctl ${file}`;
  const { undoneRunOf } = await import("../../write/index.js");
  const undone = undoneRunOf(id);
  if (undone !== undefined) return `voxctl runs undo ${undone}`;
  return file?.startsWith("config apply --target ") ? `voxctl ${file}` : `voxctl runs resume ${id}`;
}
