/**
 * Why a file can't be read or written, for a sentence: "there is no such file".
 * @param purpose of a file that was to be written it is the folder that is missing
 */
export function describeFsError(error: unknown, purpose: "read" | "write" = "read"): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return purpose === "read" ? "there is no such file" : "its folder does not exist";
    case "ENOTDIR":
      return "a part of its path is no folder";
    case "EACCES":
    case "EPERM":
      return "it is not allowed";
    case "EISDIR":
      return "it is a folder";
    case "EEXIST":
      return "it is there already";
    case "EROFS":
      return "nothing can be written there";
    case "ENOSPC":
      return "there is no room left";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
