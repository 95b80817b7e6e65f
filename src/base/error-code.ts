/** Returns whether an error has this code, such as `ENOENT` from the file system. */
export function hasCode(error: unknown, code: string): error is Error & { code: string } {
  return error instanceof Error && "code" in error && error.code === code;
}
