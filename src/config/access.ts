/** S4a: what a folder may read of this machine. A folder is not trusted: whoever may change it chooses its sources. */
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { globPattern } from "./folder/keys.js";

/** Decides about the sources `env:NAME`, `file:PATH` and `keychain:NAME` of a folder's files. */
export interface Access {
  /** Returns whether the user lets this folder read a source. */
  allows(from: string): boolean;
  /** Returns whether voxctl itself takes a key from this source. */
  isKeySource(from: string): boolean;
  /** Returns whether a text contains a key that voxctl works with. */
  holdsKey(text: string): boolean;
  /** Registers a value that was read, so that it is never printed. */
  registerValue(value: string): void;
  /** How the user allows these sources, for a hint. */
  advice(sources: readonly string[]): string;
}

/** Everything is allowed: for programs, which choose the variables that they pass. */
export const openAccess: Access = {
  allows: () => true,
  isKeySource: () => false,
  holdsKey: () => false,
  registerValue: () => {},
  advice: () => "",
};

export interface Allowed {
  /** Globs of the names of variables and of keychain entries. */
  env: readonly string[];
  /** Globs of absolute paths without links; relative ones start at the folder. */
  files: readonly string[];
}

/** Returns the test of a folder's sources against what is allowed. */
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

/** The path of a `file:` source without links, so that a link in the folder leads nowhere else; undefined of others. */
export function fileOf(from: string, root: string): string | undefined {
  return from.startsWith("file:") ? realPath(resolve(root, from.slice("file:".length))) : undefined;
}

/** A path without links, also of a file that doesn't exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

/** Why a source may not be read; undefined where it may. */
export function refusalOf(
  from: string,
  access: Access,
): { message: string; refused: { source?: string } } | undefined {
  if (access.isKeySource(from)) return { message: `${from} ${isKeyText}`, refused: {} };
  if (access.allows(from)) return undefined;
  return { message: `${from} is not allowed for this profile`, refused: { source: from } };
}

/** Why a source or a value is refused that is a key of voxctl's own. */
export const isKeyText = "contains a key that voxctl itself uses";
