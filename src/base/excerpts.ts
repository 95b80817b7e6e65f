/**
 * Two texts of which each is cut to a length, where they differ: from the same place, so that they can be compared.
 */
export function differingExcerpts(one: string, other: string, longest: number): readonly [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const lead = Math.floor(longest / 4);
  const from = same + lead < longest ? 0 : same - lead;
  const cut = (text: string) => {
    // A text that ends before the difference is shown by its end.
    const start = Math.min(from, Math.max(0, text.length - lead));
    const part = text.slice(start, start + longest - 1);
    return `${start > 0 ? "…" : ""}${part}${start + part.length < text.length ? "…" : ""}`;
  };
  return [one.length > longest ? cut(one) : one, other.length > longest ? cut(other) : other];
}
