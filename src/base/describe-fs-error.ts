import { messageOf } from "./error-code.js";
import { NotUtf8Error, notUtf8Reason } from "./utf8-error.js";

/** System error codes and messages for SQLite result codes (https://sqlite.org/rescode.html). */
const sqliteReasons: Readonly<Record<number, { code: string; text: string }>> = {
  8: { code: "EROFS", text: "the file system is read-only" },
  10: { code: "EIO", text: "the disk can't be read or written" },
  13: { code: "ENOSPC", text: "no space left on the disk" },
  14: { code: "EACCES", text: "it can't be opened or created" },
};

/** Returns a system error code, such as `EROFS`, for an SQLite error; undefined for other errors. */
export function databaseFileCode(error: unknown): string | undefined {
  return sqliteReason(error)?.code;
}

function sqliteReason(error: unknown): { code: string; text: string } | undefined {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return undefined;
  // The low byte is the general SQLite code; the higher bytes contain details.
  return sqliteReasons[error.errcode & 0xff];
}

/**
 * Returns why a file can't be read or written, as part of a sentence: "no such file".
 * @param purpose `write`: ENOENT means that the file's directory is missing
 */
export function describeFsError(error: unknown, purpose: "read" | "write" = "read"): string {
  if (error instanceof NotUtf8Error) return notUtf8Reason(error.line);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return purpose === "read" ? "no such file" : "its directory doesn't exist";
    case "ENOTDIR":
      return "a part of its path is not a directory";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EISDIR":
      return "it is a directory";
    case "EEXIST":
      return "it already exists";
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
      return "no space left on the disk";
    case "EDQUOT":
      return "disk quota exceeded";
    case "EFBIG":
      return "it would exceed the maximum file size";
    case "EIO":
      return "the disk can't be read or written";
    case "ERR_SQLITE_ERROR":
      return sqliteReason(error)?.text ?? messageOf(error);
    default:
      return messageOf(error);
  }
}

export function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = databaseFileCode(error) ?? ("code" in error ? error.code : undefined);
  if (typeof code === "string" && diskCodes.has(code)) return true;
  return isDiskError(error.cause);
}

const diskCodes: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EFBIG"]);
