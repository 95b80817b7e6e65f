import { addTo } from "../../base/lists.js";

const groupWords = 5;
/** Minimum share of common word groups in two similar strings, from 0 to 1 (Jaccard index). */
const leastSimilarity = 0.9;

/**
 * Yields the indexes of nearly equal strings. Each string is paired only with the first similar string before
 * it. The running time is proportional to the number of shared word groups.
 */
export function* findSimilarPairs(texts: readonly string[]): Generator<[first: number, second: number]> {
  const groupsOf = texts.map(splitWordGroups);
  const holders = new Map<string, number[]>();
  for (const [index, groups] of groupsOf.entries()) {
    const shared = new Map<number, number>();
    for (const group of groups) {
      for (const holder of holders.get(group) ?? []) shared.set(holder, (shared.get(holder) ?? 0) + 1);
    }
    const like = [...shared].find(([candidate, count]) => {
      const union = groups.size + (groupsOf[candidate]?.size ?? 0) - count;
      return count / union >= leastSimilarity;
    });
    if (like !== undefined) {
      yield [like[0], index];
      continue;
    }
    for (const group of groups) addTo(holders, group, index);
  }
}

/** A text with fewer than five words forms one group. */
function splitWordGroups(text: string): ReadonlySet<string> {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length <= groupWords) return new Set(words.length === 0 ? [] : [words.join(" ")]);
  return new Set(
    Array.from({ length: words.length - groupWords + 1 }, (_, at) =>
      words.slice(at, at + groupWords).join(" "),
    ),
  );
}
