/** Why a file can't be read or written, for a sentence: "there is no such file". */
export function fileTrouble(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return "there is no such file";
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
