import type { RunInfo } from "../../write/journal/list.js";

/** Returns the command that resumes a run. An undo is resumed by the command that started it. */
export function findResumeCommand({ id, kind, file }: Pick<RunInfo, "id" | "kind" | "file">): string {
  if (kind === "fleet") return `voxctl fleet resume ${id}`;
  if (kind === "fleet.undo") return `voxctl ${file}`;
  if (kind?.endsWith(".undo")) return `voxctl runs undo ${id.replace(/-undo(-\d+)?$/, "")}`;
  return file?.startsWith("config apply --target ") ? `voxctl ${file}` : `voxctl runs resume ${id}`;
}
