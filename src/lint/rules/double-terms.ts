import { idOf, plain, type Thing, text } from "../organization.js";
import type { Flaw, Rule } from "../rule.js";

export const glossaryDouble: Rule = {
  id: "glossary-double",
  severity: "warning",
  summary: "A glossary defines a term once",
  resource: "glossary",
  check: ({ things }) => doubles(things("glossary"), "term", ["definition"], "glossary"),
};

export const pronunciationDouble: Rule = {
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
  const first = new Map<string, Thing>();
  for (const thing of things) {
    const key = `${text(thing, "group_id")} ${plain(text(thing, name))}`;
    const former = first.get(key);
    if (former === undefined) {
      first.set(key, thing);
      continue;
    }
    const isEqual = [name, ...fields].every(
      (field) => JSON.stringify(former[field] ?? null) === JSON.stringify(thing[field] ?? null),
    );
    yield {
      thing,
      message: isEqual
        ? `is there twice: ${idOf(former)} is the same`
        : `is there twice, and ${idOf(former)} says something else`,
      help: `voxctl ${noun} delete ${idOf(thing)}`,
      ...(isEqual ? { fix: { action: "delete" as const } } : {}),
    };
  }
}
