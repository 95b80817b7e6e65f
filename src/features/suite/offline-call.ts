import * as z from "zod";
import { isFields } from "../../base/fields.js";
import { duration, fields, scalar } from "../../base/strict-file.js";
import { calls } from "../../contract/control/calls.js";
import { callOutcomes } from "../../contract/public/calls.js";

/** Parses text under the key `assistant:` or `user:`; text without a key has no speaker. */
export function parseSpeaker(value: unknown): ["assistant" | "user" | undefined, unknown] {
  if (!isFields(value)) return [undefined, value];
  const [[role, words] = [], ...otherEntries] = Object.entries(value);
  return (role === "assistant" || role === "user") && otherEntries.length === 0
    ? [role, words]
    : [undefined, undefined];
}

const Outcome = z.enum(callOutcomes, `must be one of ${callOutcomes.join(", ")}`);

export const Script = fields({
  status: Outcome.default("completed"),
  duration: duration.optional(),
  transcript: z
    .array(
      z.unknown().transform((value, context) => {
        const [role, words] = parseSpeaker(value);
        if (role !== undefined && typeof words === "string") return { role, text: words };
        context.issues.push({
          code: "custom",
          input: value,
          message: "must have exactly one key, `assistant` or `user`, with text as its value",
        });
        return z.NEVER;
      }),
      "must be a list of sentences",
    )
    .optional(),
  analyses: z.record(z.string(), scalar, "must be a mapping of names to values").optional(),
}).superRefine((script, context) => {
  const { status, duration: length = 0, transcript = [] } = script;
  // Check the limits of the control interface before the first call.
  const checked = calls["calls.update"].body.safeParse(toCallUpdate(script));
  for (const { path, message } of checked.error?.issues ?? []) {
    const [field, index] = path;
    context.addIssue({
      code: "custom",
      path: field === "transcript" && index !== undefined ? [field, index] : ["duration"],
      message,
    });
  }
  if (status === "completed") return;
  for (const [field, isEmpty] of [
    ["duration", length === 0],
    ["transcript", transcript.length === 0],
  ] as const)
    if (!isEmpty)
      context.addIssue({
        code: "custom",
        path: [field],
        message: `is allowed only for answered calls: remove ${field} or status`,
      });
});
export type Script = z.output<typeof Script>;

/** Default duration of an offline call, in seconds. */
const usualSeconds = 60;

/** Spreads the utterances evenly over the call's duration. */
export function toCallUpdate({ status, duration, transcript, analyses }: Script): Record<string, unknown> {
  const seconds =
    duration === undefined ? (status === "completed" ? usualSeconds : 0) : Math.round(duration / 1_000);
  return {
    status,
    duration_seconds: seconds,
    ...(transcript
      ? {
          transcript: transcript.map(({ role, text }, index) => ({
            role,
            text,
            offset_seconds: Math.floor((index * seconds) / transcript.length),
          })),
        }
      : {}),
    ...(analyses ? { analyses: Object.entries(analyses).map(([name, value]) => ({ name, value })) } : {}),
  };
}
