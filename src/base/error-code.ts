export function hasCode(error: unknown, code: string): error is Error & { code: string } {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Also accepts a value that is not an error, because any value can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
