/** German number words. */

/** Units as they stand in longer words, too: `ein` in `einundzwanzig`. */
const units = new Map(
  ["null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"].map((word, n) => [
    word,
    n,
  ]),
);
const tens = new Map(
  ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"].map((word, n) => [
    word,
    20 + 10 * n,
  ]),
);
const known = new Map<string, number>([
  ...units,
  ...tens,
  ["eins", 1],
  ["zwo", 2],
  ["zehn", 10],
  ["elf", 11],
  ["zwölf", 12],
  ["dreizehn", 13],
  ["vierzehn", 14],
  ["fünfzehn", 15],
  ["sechzehn", 16],
  ["siebzehn", 17],
  ["achtzehn", 18],
  ["neunzehn", 19],
]);
/** Ordinals that are not made of their number and an ending. */
const irregularOrdinals = new Map([
  ["erst", 1],
  ["dritt", 3],
  ["siebt", 7],
  ["acht", 8],
]);

/** `zweitausendsechsundzwanzig` is 2026; undefined for what is no number. */
export function germanNumber(word: string): number | undefined {
  const plain = known.get(word);
  if (plain !== undefined) return plain;
  for (const [name, size] of [
    ["tausend", 1_000],
    ["hundert", 100],
  ] as const) {
    const at = word.indexOf(name);
    if (at === -1) continue;
    const times = at === 0 ? 1 : germanNumber(word.slice(0, at));
    const rest = word.slice(at + name.length).replace(/^und/, "");
    const more = rest === "" ? 0 : germanNumber(rest);
    return times === undefined || more === undefined || times >= size * 10 || more >= size
      ? undefined
      : times * size + more;
  }
  const [, one = "", ten = ""] = /^(.+?)und(.+)$/.exec(word) ?? [];
  const [ones, many] = [units.get(one), tens.get(ten)];
  return ones === undefined || ones === 0 || many === undefined ? undefined : many + ones;
}

/** `am dritten August`, `der einundzwanzigste`: the number of an ordinal. */
export function germanOrdinal(word: string): number | undefined {
  const [, stem = ""] = /^(.+?)(?:e|en|er|es|em)$/.exec(word) ?? [];
  const special = irregularOrdinals.get(stem);
  if (special !== undefined) return special;
  // "fünft", but from twenty on "zwanzigst".
  for (const [ending, least, most] of [
    ["st", 20, Number.POSITIVE_INFINITY],
    ["t", 2, 19],
  ] as const) {
    const found = stem.endsWith(ending) ? germanNumber(stem.slice(0, -ending.length)) : undefined;
    if (found !== undefined && found >= least && found <= most) return found;
  }
  return undefined;
}
