/** As many as are tried before the files that were left behind are told of. */
const maximumAttempts = 100;

/**
 * A new file beside the target, to be moved into its place. What has the draft's name already is somebody else's, or
 * what a killed process left: it stays, and may be a link or a device besides.
 * @param create makes a new file, or throws EEXIST
 */
export async function createTemporaryFile<File>(
  path: string,
  create: (temporaryPath: string) => Promise<File>,
): Promise<{ temporaryPath: string; file: File }> {
  for (let count = 1; ; count += 1) {
    const temporaryPath = formatTemporaryName(path, count);
    try {
      return { temporaryPath, file: await create(temporaryPath) };
    } catch (error) {
      if (!isTaken(error, count)) throw error;
    }
  }
}

/** The same where nothing may come between two steps. */
export function createTemporaryFileSync<File>(
  path: string,
  create: (temporaryPath: string) => File,
): { temporaryPath: string; file: File } {
  for (let count = 1; ; count += 1) {
    const temporaryPath = formatTemporaryName(path, count);
    try {
      return { temporaryPath, file: create(temporaryPath) };
    } catch (error) {
      if (!isTaken(error, count)) throw error;
    }
  }
}

const formatTemporaryName = (path: string, count: number) =>
  count === 1 ? `${path}.part` : `${path}.${count}.part`;

function isTaken(error: unknown, count: number): boolean {
  return count < maximumAttempts && error instanceof Error && "code" in error && error.code === "EEXIST";
}
