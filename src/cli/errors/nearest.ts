import { commandWord } from "./shell-words.js";

/** The names that a mistyped one may have meant. */
export interface Nearest {
  /** @param thing whose name it is, where a thing has several */
  consider(name: string, thing?: string): void;
  /** The nearest of those considered; undefined where none is near. */
  readonly found: string | undefined;
  /** How many things have the typed text as the beginning of a word, where none is nearer. */
  readonly alike: number;
}

/** Longer texts are no mistyped names. */
const longest = 80;
/** Letters that are wrong by accident, and not since another name is meant. */
const slips = 2;

/** Collects the name nearest to a mistyped one: a third of its letters may be wrong, capitals are no mistake. */
export function nearestTo(mistyped: string): Nearest {
  const wanted = mistyped.toLowerCase();
  let least = Math.floor(wanted.length / 3);
  let near: string | undefined;
  let begunBy: string | undefined;
  const begun = new Set<string>();
  // A name that has the typed words whole is meant rather than another whose letters are alike.
  const isBegun = () => begunBy !== undefined && (near === undefined || least > slips);
  return {
    consider(name, thing = name) {
      if (wanted.length > longest || name.length > longest) return;
      const other = name.toLowerCase();
      if (Math.abs(other.length - wanted.length) > least) {
        // A person who types "Hav" for "Havel", or "Sommer" for "Praxis Sommer", means the rest, too.
        if (wanted.length < 3 || !beginsWord(other, wanted)) return;
        begun.add(thing);
        begunBy ??= name;
        return;
      }
      const distance = distanceOf(wanted, other);
      if (distance > least || (distance === least && near !== undefined)) return;
      least = distance;
      near = name;
    },
    get found() {
      return isBegun() ? begunBy : near;
    },
    get alike() {
      return isBegun() ? begun.size : 0;
    },
  };
}

function beginsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || (at > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)));
}

/** "Did you mean Empfang? ", to begin a hint with; nothing where none of the names is near. */
export function meantOf(mistyped: string, names: Iterable<string>): string {
  const nearest = nearestTo(mistyped);
  for (const name of names) nearest.consider(name);
  return meantText(nearest);
}

/** The same, of names that were considered as they came. */
export function meantText({ found, alike }: Nearest): string {
  if (found === undefined) return "";
  if (alike > 1) return `${alike} names have it in them, ${commandWord(found)} among them. `;
  return `Did you mean ${commandWord(found)}? `;
}

/** Letters to change, add, leave out or swap with their neighbour (Damerau and Levenshtein, without overlaps). */
function distanceOf(one: string, other: string): number {
  const [from, to] = [[...one], [...other]];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, wanted] of to.entries()) {
      const swapped = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === wanted;
      current.push(
        Math.min(
          (last[column] ?? 0) + (letter === wanted ? 0 : 1),
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

/** As many as a hint names. */
const mostFlags = 3;

/**
 * "Did you mean --phone-number? ", to begin a hint with: flags that have the typed words in them, else the nearest.
 * @param names with their dashes, as `mistyped` is
 */
export function meantFlag(mistyped: string, names: readonly string[]): string {
  const wordsOf = (flag: string) => flag.replace(/^-+(no-)?/, "").split("-");
  const wanted = wordsOf(mistyped.split("=")[0] ?? "");
  const has = (flag: string) =>
    wanted.every((word) => word.length > 1 && wordsOf(flag).some((one) => one.startsWith(word)));
  const all = [...new Set(names)];
  const beginning = all.filter((flag) => flag.startsWith(mistyped.split("=")[0] ?? ""));
  // A whole word may be part of several flags: `--number` of `--from-number`, too.
  const isWord = all.some((flag) => wordsOf(flag).includes(wanted.at(-1) ?? ""));
  const holding = !isWord && mistyped.length > 4 && beginning.length === 1 ? beginning : all.filter(has);
  if (holding.length === 0 || holding.length > mostFlags) return meantOf(mistyped, names);
  const last = holding.at(-1) ?? "";
  return holding.length === 1
    ? `Did you mean ${last}? `
    : `Did you mean ${holding.slice(0, -1).join(", ")} or ${last}? `;
}
