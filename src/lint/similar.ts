import { addTo } from "../base/lists.js";

/** Words of which a text's groups are made. */
const groupWords = 5;
/** Shared groups over all groups of both (Jaccard), from which on two texts are taken for the same. */
const leastSimilarity = 0.9;

/**
 * Pairs of texts that are nearly the same, by their places in the list. Each text is paired with the first that it is
 * like. The work is in proportion to the groups that texts share.
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

/** Each five words that follow each other; a shorter text is one group. */
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
