/** Limits what a configuration directory may read on this machine, because its author is not trusted. */
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { globPattern } from "./folder/keys.js";

/** Decides which sources (`env:NAME`, `file:PATH`, `keychain:NAME`) a configuration directory may use. */
export interface Access {
  /** Returns whether the user allows this directory to use a source. */
  allows(from: string): boolean;
  /** Returns whether voxctl itself reads an API key from this source. */
  isKeySource(from: string): boolean;
  /** Returns whether a string contains an API key that voxctl uses. */
  holdsKey(text: string): boolean;
  /** Registers a value so that it is never printed. */
  registerValue(value: string): void;
  /** Returns a hint that explains how to allow these sources. */
  advice(sources: readonly string[]): string;
}

/** Allows every source, for programs that open a seed and choose the variables that they pass to it. */
export const openAccess: Access = {
  allows: () => true,
  isKeySource: () => false,
  holdsKey: () => false,
  registerValue: () => {},
  advice: () => "",
};

export interface Allowed {
  /** Globs for the names of environment variables and keychain entries. */
  env: readonly string[];
  /** Globs for file paths after all links are resolved. Relative globs start at the directory. */
  files: readonly string[];
}

/** Returns a predicate for the sources that a directory may read. */
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

/** Returns the path of a `file:` source after all links are resolved; undefined for other sources. */
export function fileOf(from: string, root: string): string | undefined {
  return from.startsWith("file:") ? realPath(resolve(root, from.slice("file:".length))) : undefined;
}

/** Resolves the links in a path, even if the file doesn't exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

/** Returns why a source must not be used; undefined if it is allowed. */
export function refusalOf(
  from: string,
  access: Access,
): { message: string; refused: { source?: string } } | undefined {
  if (access.isKeySource(from)) return { message: `${from} ${isKeyText}`, refused: {} };
  if (access.allows(from)) return undefined;
  return { message: `${from} is not allowed for this profile`, refused: { source: from } };
}

/** Reason to refuse a source or a value that contains one of voxctl's API keys. */
export const isKeyText = "contains an API key that voxctl itself uses";
