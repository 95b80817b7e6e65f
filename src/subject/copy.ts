/** The things that a caller is given a copy of: a pure choice from what was found. */

import { ExactNumber } from "../base/exact-json.js";
import type { Fields } from "../bulk/fields.js";
import { certain, type Matcher } from "./matcher.js";
import type { FoundResource } from "./organization.js";

/** A passage in which the caller occurs, of something that is not theirs: the rest of it may be others' data. */
interface Mention {
  where: string;
  id: string;
  field: string;
  excerpt: string;
}

export interface Copy {
  contacts: { id: string; record: Fields }[];
  calls: { id: string; record: Fields }[];
  mentions: Mention[];
  /** Things that only a name, or a possible match, says to be the caller's. */
  left: { where: string; id: string }[];
}

/** Characters before and after a match. */
const around = 120;

/**
 * Contacts that are the caller's and calls from or to them are given whole; of other things only the passages in which
 * the caller occurs.
 * @param include ids of things that are the caller's, though only a hint says so
 */
export function buildCopy(
  resources: readonly FoundResource[],
  matcher: Matcher,
  include: ReadonlySet<string>,
): Copy {
  const copy: Copy = { contacts: [], calls: [], mentions: [], left: [] };
  for (const { where, id, record, occurrences } of resources) {
    const sure = occurrences.filter(({ certainty }) => certainty === certain);
    const isIncluded = include.has(id);
    if (sure.length === 0 && !isIncluded) copy.left.push({ where, id });
    else if (where === "contacts") copy.contacts.push({ id, record });
    else if (where === "calls" && (isIncluded || sure.some(({ field }) => /^(?:from|to)$/.test(field))))
      copy.calls.push({ id, record });
    else
      for (const field of new Set((isIncluded ? occurrences : sure).map((occurrence) => occurrence.field)))
        for (const excerpt of findExcerpts(matcher, getValueAt(record, field), isIncluded))
          copy.mentions.push({ where, id, field, excerpt });
  }
  return copy;
}

function findExcerpts(matcher: Matcher, value: unknown, isIncluded: boolean): string[] {
  if (typeof value !== "string") return [String(value)];
  const text = value.normalize("NFC");
  return matcher
    .find(text)
    .filter(({ certainty }) => isIncluded || certainty === certain)
    .map(({ start, end }) => {
      const [from, to] = [Math.max(0, start - around), Math.min(text.length, end + around)];
      return `${from > 0 ? "… " : ""}${text.slice(from, to).trim()}${to < text.length ? " …" : ""}`;
    });
}

/** The value at `transcript[3].text`. */
function getValueAt(record: Fields, field: string): unknown {
  let value: unknown = record;
  for (const [, name, index] of field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== "object" || value === null || value instanceof ExactNumber) return undefined;
    value = Reflect.get(value, name ?? index ?? "");
  }
  return value;
}
