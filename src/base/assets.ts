import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { embedded } from "./single-executable.js";

/** Paths to `dist/assets` from the bundle's chunks and from the source files. */
const folders = ["../assets/", "../../dist/assets/"];

/**
 * Reads a web page's file from the build.
 * @throws the system's error if the file is missing because nothing was built
 */
export function asset(name: "ui.js" | "ui.css" | "docs.js" | "docs.css" | "design.css"): Uint8Array {
  const held = embedded(name);
  if (held !== undefined) return held;
  const paths = folders.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  return readFileSync(paths.find((path) => existsSync(path)) ?? paths[0] ?? name);
}

/** Returns the CSS of the design, for a page with inline styles. */
export function getDesign(): string {
  return Buffer.from(asset("design.css")).toString();
}
