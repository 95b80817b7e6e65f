/** Overlays: JSON Merge Patch, RFC 7386. */
import { isFields } from "../../base/fields.js";
import type { YamlPath } from "./folder/yaml.js";

export function merged(base: unknown, patch: unknown): unknown {
  if (patch === undefined) return base;
  if (!isFields(patch) || !isFields(base)) return patch;
  const names = [...new Set([...Object.keys(base), ...Object.keys(patch)])];
  return Object.fromEntries(
    names.filter((name) => patch[name] !== null).map((name) => [name, merged(base[name], patch[name])]),
  );
}

export function isPatched(patch: unknown, path: YamlPath): boolean {
  let current = patch;
  for (const part of path) {
    if (current === undefined) return false;
    if (Array.isArray(current)) return true;
    if (!isFields(current)) return true;
    if (!Object.hasOwn(current, String(part))) return false;
    current = current[String(part)];
  }
  return !isFields(current) || path.length === 0;
}
