import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { embedded } from "./single-executable.js";

/** `dist/assets`, relative to the bundle and to this source file. */
const folders = ["../assets/", "../../dist/assets/"];

/** @throws the system's error if the build is missing */
export function asset(name: "ui.js" | "ui.css" | "docs.js" | "docs.css" | "design.css"): Uint8Array {
  const held = embedded(name);
  if (held !== undefined) return held;
  const paths = folders.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  return readFileSync(paths.find((path) => existsSync(path)) ?? paths[0] ?? name);
}

export function getDesign(): string {
  return Buffer.from(asset("design.css")).toString();
}
