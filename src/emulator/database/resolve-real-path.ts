import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Resolves symbolic links in a path that might not exist yet. The key, lock and state files are named after
 * the resolved path, so that their names don't depend on the link that the user passed.
 */
export function resolveRealPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    // The path doesn't exist, or is a dangling link.
    const parent = dirname(absolute);
    if (parent === absolute) return absolute;
    const target = findLinkTarget(absolute);
    return target === undefined ? join(resolveRealPath(parent), basename(absolute)) : target;
  }
}

function findLinkTarget(path: string): string | undefined {
  let target = path;
  for (let step = 0; step < 40; step += 1) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) break;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target === path ? undefined : join(resolveRealPath(dirname(target)), basename(target));
}
