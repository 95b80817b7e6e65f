import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * A file of the page, as the build left it in `dist/assets`.
 * @throws the system's error when there is none: the sources were never built
 */
export function asset(name: "ui.js" | "ui.css"): Uint8Array {
  const besideChunks = fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
  return readFileSync(
    existsSync(besideChunks)
      ? besideChunks
      : // Run from the sources.
        fileURLToPath(new URL(`../../../dist/assets/${name}`, import.meta.url)),
  );
}
