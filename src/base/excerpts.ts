export function excerptDifference(left: string, right: string, longest: number): readonly [string, string] {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  const lead = Math.floor(longest / 4);
  const from = same + lead < longest ? 0 : same - lead;
  const cut = (text: string) => {
    const start = Math.min(from, Math.max(0, text.length - lead));
    const part = text.slice(start, start + longest - 1);
    return `${start > 0 ? "…" : ""}${part}${start + part.length < text.length ? "…" : ""}`;
  };
  return [left.length > longest ? cut(left) : left, right.length > longest ? cut(right) : right];
}
