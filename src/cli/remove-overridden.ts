export interface LineOption {
  name: string;
  long: string;
  short: string | undefined;
  takesValue: boolean;
}

export interface AliasedLine {
  words: readonly string[];
  /** Positions of the alias's first word (`from`) and of the first typed word after the alias (`to`). */
  from: number;
  to: number;
}

interface Occurrence {
  name: string;
  at: number;
  end: number;
  /** Switches to keep from the same word, such as `-y` in `-yo json`. */
  keptSwitches: string;
}

/** Removes flags of an alias that the user also typed, so that `voxctl kunden --group Leads` uses Leads. */
export function removeOverridden(
  { words, from, to }: AliasedLine,
  options: { before: readonly LineOption[]; behind: readonly LineOption[] },
): readonly string[] {
  const matches = [
    ...findOccurrences(words, 0, from, options.before),
    ...findOccurrences(words, from, words.length, options.behind),
  ];
  const typed = new Set(matches.filter(({ at }) => at < from || at >= to).map(({ name }) => name));
  const kept: (string | undefined)[] = [...words];
  for (const { name, at, end, keptSwitches } of matches) {
    if (at < from || at >= to || !typed.has(name)) continue;
    kept.fill(undefined, at, end);
    if (keptSwitches !== "-") kept[at] = keptSwitches;
  }
  return kept.filter((word) => word !== undefined);
}

function findOccurrences(
  words: readonly string[],
  from: number,
  to: number,
  options: readonly LineOption[],
): Occurrence[] {
  const matches: Occurrence[] = [];
  for (let at = from; at < to; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") break;
    const occurrence = word.startsWith("--")
      ? findLongOption(word, at, options)
      : findShortOption(word, at, options);
    if (!occurrence) continue;
    matches.push(occurrence);
    at = occurrence.end - 1;
  }
  return matches;
}

function findLongOption(word: string, at: number, options: readonly LineOption[]): Occurrence | undefined {
  const [typed = ""] = word.split("=", 1);
  const option = options.find(({ long, takesValue }) => takesValue && long === typed);
  return option && { name: option.name, at, end: word.includes("=") ? at + 1 : at + 2, keptSwitches: "-" };
}

function findShortOption(word: string, at: number, options: readonly LineOption[]): Occurrence | undefined {
  if (!/^-[A-Za-z]/.test(word)) return undefined;
  for (let letter = 1; letter < word.length; letter += 1) {
    const option = options.find(({ short }) => short === `-${word[letter]}`);
    if (!option) return undefined;
    if (option.takesValue)
      return {
        name: option.name,
        at,
        end: letter === word.length - 1 ? at + 2 : at + 1,
        keptSwitches: word.slice(0, letter),
      };
  }
  return undefined;
}
