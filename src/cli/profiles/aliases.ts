import { splitWords } from "../../base/shell-words.js";
import { usageError } from "../errors/errors.js";
import type { Folders } from "./folders.js";
import { readConfiguration } from "./store.js";

export async function findAlias(name: string, folders: Folders): Promise<string | undefined> {
  const { aliases = {} } = await readConfiguration(folders);
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

/** Returns an empty list if the aliases can't be read. */
export async function aliasNames(folders: Folders): Promise<readonly string[]> {
  return readConfiguration(folders).then(
    ({ aliases = {} }) => Object.keys(aliases),
    () => [],
  );
}

export function aliasWords(line: string): string[] {
  return splitWords(line).filter((word) => !/\$[1-9]/.test(word));
}

/**
 * Replaces `$1` with the first word that the user typed after the alias, `$2` with the second, and so on. In
 * the result, `typed` contains the remaining words.
 * @throws usage error (2) if the word for a placeholder is missing or is a flag
 */
export function expandAlias(
  name: string,
  line: string,
  typed: readonly string[],
): { stored: readonly string[]; typed: readonly string[] } {
  const placeholder = /\$([1-9])/g;
  let taken = 0;
  const words = splitWords(line).map((word) =>
    word.replace(placeholder, (_, digit: string) => {
      const value = typed[Number(digit) - 1];
      if (value === undefined)
        throw usageError(`alias ${name}: missing argument $${digit}`, {
          hint: `the alias stands for: ${line}`,
        });
      if (/^-[^\d]/.test(value))
        throw usageError(`alias ${name}: expected the argument $${digit}, but found the flag ${value}`, {
          hint: `write \`voxctl ${name} WORD ${value} …\`; the alias stands for: ${line}`,
        });
      taken = Math.max(taken, Number(digit));
      return value;
    }),
  );
  return { stored: words, typed: typed.slice(taken) };
}
