import { mapInner } from "../../base/fields.js";
import { recordOf } from "../values.js";
import type { RehearsedWrite } from "./rehearsed-writes.js";

/** Shorter values occur in ordinary words, so they are replaced only if they are the whole string. */
const shortestPart = 4;

/** Replaces sent values with references to their sources. Omits response fields that contain these values. */
export function withSources(write: RehearsedWrite, sources: ReadonlyMap<string, string>): RehearsedWrite {
  if (sources.size === 0) return write;
  const values = [...sources].sort(([left], [right]) => right.length - left.length);
  const body = write.body === null ? null : referenced(write.body, values);
  const secret = new Set(
    Object.entries(recordOf(write.body)).flatMap(([field, value]) =>
      JSON.stringify(value) === JSON.stringify(recordOf(body)[field]) ? [] : [field],
    ),
  );
  const open = (state: unknown) =>
    state === null
      ? null
      : Object.fromEntries(Object.entries(recordOf(state)).filter(([field]) => !secret.has(field)));
  return secret.size === 0 ? write : { ...write, body, after: open(write.after) };
}

type Values = readonly (readonly [value: string, source: string])[];

function referenced(value: unknown, values: Values): unknown {
  if (typeof value === "string") return referencedText(value, values);
  return mapInner(value, (inner) => referenced(inner, values));
}

function referencedText(text: string, values: Values): unknown {
  const whole = values.find(([value]) => value === text);
  if (whole !== undefined) return { $secret: whole[1] };
  let parts: unknown[] = [text];
  for (const [value, source] of values)
    if (value.length >= shortestPart)
      parts = parts.flatMap((part) =>
        typeof part === "string"
          ? part
              .split(value)
              .flatMap((piece, index) => (index === 0 ? [piece] : [{ $secret: source }, piece]))
          : [part],
      );
  const nonEmpty = parts.filter((part) => part !== "");
  return nonEmpty.length === 1 ? nonEmpty[0] : nonEmpty.length === 0 ? "" : { $text: nonEmpty };
}
