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
const numberWords = new Map<string, number>([
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
export function parseGermanNumber(word: string): number | undefined {
  const plain = numberWords.get(word);
  if (plain !== undefined) return plain;
  for (const [name, size] of [
    ["tausend", 1_000],
    ["hundert", 100],
  ] as const) {
    const at = word.indexOf(name);
    if (at === -1) continue;
    const times = at === 0 ? 1 : parseGermanNumber(word.slice(0, at));
    const tail = word.slice(at + name.length).replace(/^und/, "");
    const more = tail === "" ? 0 : parseGermanNumber(tail);
    return times === undefined || more === undefined || times >= size * 10 || more >= size
      ? undefined
      : times * size + more;
  }
  const [, unitWord = "", tensWord = ""] = /^(.+?)und(.+)$/.exec(word) ?? [];
  const [unitValue, tensValue] = [units.get(unitWord), tens.get(tensWord)];
  return unitValue === undefined || unitValue === 0 || tensValue === undefined
    ? undefined
    : tensValue + unitValue;
}

/** `am dritten August`, `der einundzwanzigste`: the number of an ordinal. */
export function parseGermanOrdinal(word: string): number | undefined {
  const [, stem = ""] = /^(.+?)(?:e|en|er|es|em)$/.exec(word) ?? [];
  const special = irregularOrdinals.get(stem);
  if (special !== undefined) return special;
  // "fünft", but from twenty on "zwanzigst".
  for (const [ending, least, most] of [
    ["st", 20, Number.POSITIVE_INFINITY],
    ["t", 2, 19],
  ] as const) {
    const number = stem.endsWith(ending) ? parseGermanNumber(stem.slice(0, -ending.length)) : undefined;
    if (number !== undefined && number >= least && number <= most) return number;
  }
  return undefined;
}
