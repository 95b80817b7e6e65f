import * as z from "zod";
import { assumed, ruled } from "./assumed.js";

// Every command creates these schemas at startup. Each `.check` or `.meta` creates another schema, so pass
// all checks in one call.

/** public.general.7 */
const objectId = /^[a-f0-9]{24}$/;

export function isObjectId(text: string): boolean {
  return objectId.test(text);
}

/** public.general.7 */
export const ObjectId = ruled(
  "public.general.7",
  z.string("must be an id").regex(objectId, "must be an id: 24 characters of 0-9 and a-f"),
);

/** public.general.8 */
const e164 = /^\+\d{6,20}$/;

export function isE164(text: string): boolean {
  return e164.test(text);
}

/** public.general.8 */
export const E164 = ruled(
  "public.general.8",
  z
    .string("must be a phone number")
    .regex(e164, "must be a phone number like +4915112345678: + and 6 to 20 digits"),
);

/** An ISO 8601 time in UTC (public.general.6). */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, "must be a time like 2026-01-31T09:30:00Z")
  .register(z.globalRegistry, { format: "date-time" });

/** Returns the text's length in code points (D-text). */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** In some databases, a NUL ends the text. UTF-8 can't encode a lone surrogate (D-text). */
export function isWholeText(text: string): boolean {
  return !/[\u0000\p{Surrogate}]/u.test(text);
}

export const wholeTextMessage = "must be well-formed Unicode text without NUL";

/** A name of 1 to 200 characters, counted and stored without surrounding white space (D-text). */
export const Name = assumed(
  "D-text",
  z
    .string("must be text of 1 to 200 characters")
    .check(
      z.trim(),
      z.refine((text) => text !== "", "must not be empty"),
      z.refine((text) => text.length <= 200 || codePoints(text) <= 200, "must be at most 200 characters"),
      z.refine(isWholeText, wholeTextMessage),
    )
    .register(z.globalRegistry, { minLength: 1, maxLength: 200 }),
  z.string("must be text"),
);

export function isEmail(text: string): boolean {
  return z.regexes.email.test(text);
}

/** Page size from 1 to 200, by default 50 (D-limit). */
export const Limit = assumed(
  "D-limit",
  z.coerce
    .number("must be a whole number from 1 to 200")
    .check(
      z.int("must be a whole number from 1 to 200"),
      z.gte(1, "must be from 1 to 200"),
      z.lte(200, "must be from 1 to 200"),
    )
    .default(50),
  z.coerce
    .number("must be a whole number")
    .check(z.int("must be a whole number"), z.gte(1, "must be at least 1"))
    .optional(),
);

/** A position in a list. Clients send the cursor back unchanged (public.general.9). */
export const Cursor = z.string();

export function pageQuery<T extends Record<string, z.ZodType>>(filters: T) {
  return z.object({ cursor: Cursor.optional(), limit: Limit, ...filters });
}

/** D-times */
export const timestamps = {
  created_at: assumed("D-times", Timestamp),
  updated_at: assumed("D-times", Timestamp),
};
