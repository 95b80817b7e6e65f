import { idOf, plain, type Thing, text } from "../organization.js";
import type { Flaw, LintRule } from "../rule.js";

export const glossaryDouble: LintRule = {
  id: "glossary-double",
  severity: "warning",
  summary: "A glossary defines a term once",
  resource: "glossary",
  check: ({ things }) => doubles(things("glossary"), "term", ["definition"], "glossary"),
};

export const pronunciationDouble: LintRule = {
  id: "pronunciation-double",
  severity: "warning",
  summary: "A group of pronunciation rules has one rule for a word",
  resource: "pronunciation",
  check: ({ things }) =>
    doubles(
      things("pronunciation"),
      "token",
      ["replacement", "spell_out", "speaking_rate", "ipa"],
      "pronunciation",
    ),
};

/** Those of one group with a name that another has; equal in every field, the later one can go. */
function* doubles(
  things: readonly Thing[],
  name: string,
  fields: readonly string[],
  noun: string,
): Generator<Flaw> {
  const known = new Map<string, Thing[]>();
  for (const thing of things) {
    const key = `${text(thing, "group_id")} ${plain(text(thing, name))}`;
    const former = known.get(key);
    if (former === undefined) {
      known.set(key, [thing]);
      continue;
    }
    const equal = former.find((one) => [name, ...fields].every((field) => isEqual(one, thing, field)));
    former.push(thing);
    yield {
      thing,
      message: equal
        ? `is there twice: ${idOf(equal)} is the same`
        : `is there twice, and ${idOf(former[0] ?? thing)} says something else`,
      help: `voxctl ${noun} delete ${idOf(thing)}`,
      ...(equal ? { fix: { action: "delete" as const } } : {}),
    };
  }
}

function isEqual(one: Thing, other: Thing, field: string): boolean {
  return JSON.stringify(one[field] ?? null) === JSON.stringify(other[field] ?? null);
}
