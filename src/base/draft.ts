/** As many as are tried before the files that were left behind are told of. */
const mostDrafts = 100;

/**
 * A new file beside the target, to be moved into its place. What has the draft's name already is somebody else's, or
 * what a killed process left: it stays, and may be a link or a device besides.
 * @param create makes a new file, or throws EEXIST
 */
export async function newDraft<File>(
  path: string,
  create: (draft: string) => Promise<File>,
): Promise<{ draft: string; file: File }> {
  for (let count = 1; ; count += 1) {
    const draft = draftName(path, count);
    try {
      return { draft, file: await create(draft) };
    } catch (error) {
      if (!isTaken(error, count)) throw error;
    }
  }
}

/** The same where nothing may come between two steps. */
export function newDraftSync<File>(
  path: string,
  create: (draft: string) => File,
): { draft: string; file: File } {
  for (let count = 1; ; count += 1) {
    const draft = draftName(path, count);
    try {
      return { draft, file: create(draft) };
    } catch (error) {
      if (!isTaken(error, count)) throw error;
    }
  }
}

const draftName = (path: string, count: number) => (count === 1 ? `${path}.part` : `${path}.${count}.part`);

function isTaken(error: unknown, count: number): boolean {
  return count < mostDrafts && error instanceof Error && "code" in error && error.code === "EEXIST";
}
