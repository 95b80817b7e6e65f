import { ExactNumber } from "../base/exact-json.js";
import type { Certainty, Match, Matcher } from "./matcher.js";

/** Where a caller occurs in a thing. */
export interface Occurrence {
  /** The kind of place: `contacts`, `calls` … */
  where: string;
  id: string;
  /** `phone_numbers[0]`, `transcript[3].text`. */
  field: string;
  by: Match["by"];
  certainty: Certainty;
  /** As it is written there. */
  text: string;
}

/** Fields that hold no text of a person: what looks like a number in them is none. */
const notSearched = /(?:^|\.)(?:id|[a-z_]+_id|[a-z_]+_ids(?:\[\d+\])?|[a-z]+_at)$/;

/** The places in a thing where the caller occurs, in the order of its fields. */
export function searchResource(
  matcher: Matcher,
  where: string,
  id: string,
  record: Readonly<Record<string, unknown>>,
): Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (const { field, text } of listTexts(joinName(record)))
    if (!notSearched.test(field))
      for (const { by, certainty, text: written } of matcher.find(text))
        occurrences.push({ where, id, field, by, certainty, text: written });
  return occurrences;
}

/** A person's name stands in two fields, and is looked for as one. */
function joinName(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { first_name: first, last_name: last } = record;
  if (typeof first !== "string" || typeof last !== "string") return record;
  const { first_name: _, last_name: __, ...remaining } = record;
  return { name: `${first} ${last}`, ...remaining };
}

/** Every text in a value, with where it stands; a number is its digits. */
function* listTexts(value: unknown, field = ""): Generator<{ field: string; text: string }, void> {
  if (typeof value === "string") yield { field, text: value };
  else if (typeof value === "number" || value instanceof ExactNumber) yield { field, text: String(value) };
  else if (Array.isArray(value))
    for (const [index, member] of value.entries()) yield* listTexts(member, `${field}[${index}]`);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value))
      yield* listTexts(member, field === "" ? name : `${field}.${name}`);
}
