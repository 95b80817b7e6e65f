import { hasCode } from "./error-code.js";

type Embedded = "ui.js" | "ui.css" | "docs.js" | "docs.css" | "design.css" | "keyring.node";

export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}

/** Returns undefined outside the single executable or for a missing file. */
export function embedded(name: Embedded): Uint8Array | undefined {
  const { isSea, getAsset } = process.getBuiltinModule("node:sea");
  if (!isSea()) return undefined;
  try {
    return new Uint8Array(getAsset(name));
  } catch (error) {
    // Node throws this error for a missing asset.
    if (hasCode(error, "ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND")) return undefined;
    throw error;
  }
}
