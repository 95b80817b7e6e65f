/** The files that the single executable holds besides the program: it is Node, voxctl and these in one file. */
type Embedded = "ui.js" | "ui.css" | "docs.js" | "docs.css" | "keyring.node";

/** Whether this is the single executable, and not Node that runs voxctl's files. */
export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}

/** A file that the single executable holds; undefined where this is none, or it holds no such file. */
export function embedded(name: Embedded): Uint8Array | undefined {
  const { isSea, getAsset } = process.getBuiltinModule("node:sea");
  if (!isSea()) return undefined;
  try {
    return new Uint8Array(getAsset(name));
  } catch (error) {
    // The error by which Node says that there is no such asset.
    if (isNamed(error, "ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND")) return undefined;
    throw error;
  }
}

function isNamed(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
