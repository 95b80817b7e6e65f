/** Collects a caller's data for a copy: whole contacts and calls, and passages from other records. Pure. */

import { ExactNumber } from "../../base/exact-json.js";
import type { Fields } from "../../write/fields.js";
import { certain, type Matcher } from "./matcher.js";
import type { FoundResource } from "./organization.js";

/** A passage about the caller from a record that may also concern other people. */
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
  /** Uncertain matches, which are not in the copy. */
  left: { where: string; id: string }[];
}

/** Number of characters to include before and after a match. */
const around = 120;

/** @param include IDs of uncertain matches to treat as the caller's */
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

function getValueAt(record: Fields, field: string): unknown {
  let value: unknown = record;
  for (const [, name, index] of field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== "object" || value === null || value instanceof ExactNumber) return undefined;
    value = Reflect.get(value, name ?? index ?? "");
  }
  return value;
}
