import { ExactNumber } from "../../base/exact-json.js";
import type { Certainty, Match, Matcher } from "./matcher.js";

export interface Occurrence {
  where: string;
  id: string;
  /** Path of the field, such as `phone_numbers[0]` or `transcript[3].text`. */
  field: string;
  by: Match["by"];
  certainty: Certainty;
  /** The matching text, verbatim. */
  text: string;
}

/** Fields that contain IDs or times. Digits in these fields are not phone numbers. */
const notSearched = /(?:^|\.)(?:id|[a-z_]+_id|[a-z_]+_ids(?:\[\d+\])?|[a-z]+_at)$/;

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

/** Joins first and last name, so that a full name matches. */
function joinName(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { first_name: first, last_name: last } = record;
  if (typeof first !== "string" || typeof last !== "string") return record;
  const { first_name: _, last_name: __, ...remaining } = record;
  return { name: `${first} ${last}`, ...remaining };
}

function* listTexts(value: unknown, field = ""): Generator<{ field: string; text: string }, void> {
  if (typeof value === "string") yield { field, text: value };
  else if (typeof value === "number" || value instanceof ExactNumber) yield { field, text: String(value) };
  else if (Array.isArray(value))
    for (const [index, member] of value.entries()) yield* listTexts(member, `${field}[${index}]`);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value))
      yield* listTexts(member, field === "" ? name : `${field}.${name}`);
}
