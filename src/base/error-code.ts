export function hasCode(error: unknown, code: string): error is Error & { code: string } {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Adds the path of the file to an error without a path, such as the error of a write to an open file. */
export function addPath<Thrown>(error: Thrown, path: string): Thrown {
  if (error instanceof Error && !("path" in error)) Object.assign(error, { path });
  return error;
}

/** Also accepts a value that is not an error, because any value can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
