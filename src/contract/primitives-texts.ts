import * as z from "zod";
import { assumed } from "./assumed.js";
import { codePoints, isWholeText, wholeTextMessage } from "./primitives.js";

/** A time in a request, optionally with an offset (public.endpoints.filters, D-stats). */
export const DateTime = z.iso.datetime({ offset: true, error: "must be a time like 2026-01-31T09:30:00Z" });

/** Both limits are in code points, and the OpenAPI document shows them. */
export function boundedText(minimum: number, maximum: number, message: string) {
  return z
    .string(message)
    .check(
      z.refine((text) => text.length <= maximum || codePoints(text) <= maximum, message),
      z.refine((text) => text.length >= minimum, message),
      z.refine(isWholeText, wholeTextMessage),
    )
    .register(z.globalRegistry, { minLength: minimum, maxLength: maximum });
}

/** Text of 0 to 100,000 characters (D-text). */
export const LongText = assumed(
  "D-text",
  boundedText(0, 100_000, "must be text of at most 100,000 characters"),
  z.string("must be text"),
);

/** Optional long text. White space alone becomes an empty string (D-empty-text). */
export const OptionalText = assumed(
  "D-text",
  boundedText(0, 100_000, "must be text of at most 100,000 characters").overwrite((text) =>
    text.trim() === "" ? "" : text,
  ),
  z.string("must be text"),
);
