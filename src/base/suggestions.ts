import { quoteWord } from "./shell-words.js";

export interface Suggester {
  /** @param item identifies an item that has several names (default: `name`) */
  consider(name: string, item?: string): void;
  readonly suggestion: string | undefined;
  /** Number of items with a name that contains the typed text or is part of it. */
  readonly matchCount: number;
  readonly other: string | undefined;
}

const longest = 80;
const slips = 2;

/**
 * Finds the name most similar to a mistyped name, ignoring case. At most a third of the letters may be wrong.
 */
export function createSuggester(mistyped: string): Suggester {
  const typed = mistyped.toLowerCase();
  let least = Math.floor(typed.length / 3);
  let nearest: string | undefined;
  const begun = new Map<string, string>();
  const isBegun = () => begun.size > 0 && (nearest === undefined || least > slips);
  return {
    consider(name, item = name) {
      if (typed.length > longest || name.length > longest) return;
      const candidate = name.toLowerCase();
      if (Math.abs(candidate.length - typed.length) > least) {
        // Users may type part of a name ("Hav" for "Havel"), or more than a name ("--phone-number" for
        // "--phone").
        if (Math.min(typed.length, candidate.length) < 3) return;
        if (!startsWord(candidate, typed) && !hasWords(typed, candidate)) return;
        if (!begun.has(item)) begun.set(item, name);
        return;
      }
      const distance = measureDistance(typed, candidate);
      if (distance > least || (distance === least && nearest !== undefined)) return;
      least = distance;
      nearest = name;
    },
    get suggestion() {
      return isBegun() ? [...begun.values()][0] : nearest;
    },
    get matchCount() {
      return isBegun() ? begun.size : 0;
    },
    get other() {
      return isBegun() ? [...begun.values()][1] : undefined;
    },
  };
}

function startsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || (at > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)));
}

function hasWords(text: string, words: string): boolean {
  return startsWord(text, words) && !/^[\p{L}\p{N}]/u.test(text.slice(text.indexOf(words) + words.length));
}

/** Returns the start of a hint, such as "did you mean Empfang? "; empty if no name is similar. */
export function suggestName(mistyped: string, names: Iterable<string>): string {
  const suggester = createSuggester(mistyped);
  for (const name of names) suggester.consider(name);
  return formatSuggestion(suggester);
}

/** Returns the end of a message, such as "; did you mean Empfang?"; empty if no name is similar. */
export function appendSuggestion(mistyped: string, names: Iterable<string>): string {
  const suggestion = suggestName(mistyped, names).trimEnd();
  return suggestion === "" ? "" : `; ${suggestion}`;
}

export function formatSuggestion({ suggestion, matchCount, other }: Suggester): string {
  if (suggestion === undefined) return "";
  if (matchCount === 2 && other !== undefined)
    return `did you mean ${quoteWord(suggestion)} or ${quoteWord(other)}? `;
  if (matchCount > 1) return `did you mean one of ${matchCount} names, such as ${quoteWord(suggestion)}? `;
  return `did you mean ${quoteWord(suggestion)}? `;
}

/** Damerau-Levenshtein distance without overlaps. */
function measureDistance(left: string, right: string): number {
  const [from, to] = [[...left], [...right]];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, target] of to.entries()) {
      const swapped = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === target;
      current.push(
        Math.min(
          (last[column] ?? 0) + (letter === target ? 0 : 1),
          (last[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          swapped ? (beforeLast[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}

const mostFlags = 3;

/**
 * Returns the start of a hint, such as "did you mean --phone-number? ". Suggests flags that contain the typed
 * words; otherwise, the most similar flag.
 * @param names flags with dashes, like `mistyped`
 */
export function suggestFlag(mistyped: string, names: readonly string[]): string {
  const wordsOf = (flag: string) => flag.replace(/^-+(no-)?/, "").split("-");
  const typedWords = wordsOf(mistyped.split("=")[0] ?? "");
  const has = (flag: string) =>
    typedWords.every(
      (word) => word.length > 1 && wordsOf(flag).some((flagWord) => flagWord.startsWith(word)),
    );
  const all = [...new Set(names)];
  const beginning = all.filter((flag) => flag.startsWith(mistyped.split("=")[0] ?? ""));
  // The last typed word is complete if a flag contains it: for example, `--from-number` contains `number`.
  const isWord = all.some((flag) => wordsOf(flag).includes(typedWords.at(-1) ?? ""));
  const holding = !isWord && mistyped.length > 4 && beginning.length === 1 ? beginning : all.filter(has);
  if (holding.length === 0 || holding.length > mostFlags) return suggestName(mistyped, names);
  const last = holding.at(-1) ?? "";
  return holding.length === 1
    ? `did you mean ${last}? `
    : `did you mean ${holding.slice(0, -1).join(", ")} or ${last}? `;
}
