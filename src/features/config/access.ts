/**
 * Limits what a configuration directory can read on this machine, because the directory's author is not
 * trusted.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { globPattern } from "./folder/keys.js";

/**
 * Decides which sources (`env:NAME`, `file:PATH`, `keychain:NAME`) a configuration directory is allowed to
 * use.
 */
export interface Access {
  allows(from: string): boolean;
  /** Returns whether voxctl reads its own API key from this source. */
  isKeySource(from: string): boolean;
  holdsKey(text: string): boolean;
  /** Masks the value in all output. */
  registerValue(value: string): void;
  advice(sources: readonly string[]): string;
}

/** Allows every source, because a program that opens a seed sets the environment variables itself. */
export const openAccess: Access = {
  allows: () => true,
  isKeySource: () => false,
  holdsKey: () => false,
  registerValue: () => {},
  advice: () => "",
};

export interface Allowed {
  /** Globs for environment variables and keychain entries. */
  env: readonly string[];
  /**
   * Globs for file paths, matched after symbolic links are resolved. Relative globs start at the
   * configuration directory.
   */
  files: readonly string[];
}

export function allowanceTest({ env, files }: Allowed, root: string): (from: string) => boolean {
  const names = env.map((glob) => globPattern(glob, "u"));
  const base = realPath(root);
  const paths = files.map((glob) => globPattern(resolve(base, glob), "u"));
  return (from) => {
    const path = fileOf(from, root);
    if (path !== undefined) return paths.some((pattern) => pattern.test(path));
    return names.some((pattern) => pattern.test(from.slice(from.indexOf(":") + 1)));
  };
}

/** Returns the path of a `file:` source, with symbolic links resolved; undefined for other sources. */
export function fileOf(from: string, root: string): string | undefined {
  return from.startsWith("file:") ? realPath(resolve(root, from.slice("file:".length))) : undefined;
}

/** Resolves the symbolic links in a path; the file itself might not exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

export function refusalOf(
  from: string,
  access: Access,
): { message: string; refused: { source?: string } } | undefined {
  if (access.isKeySource(from)) return { message: `${from} ${isKeyText}`, refused: {} };
  if (access.allows(from)) return undefined;
  return { message: `${from} is not allowed for this profile`, refused: { source: from } };
}

export const isKeyText = "contains an API key that voxctl itself uses";
