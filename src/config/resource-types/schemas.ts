/** Parts that the schemas of several kinds share. */
import * as z from "zod";
import { documentedOnly } from "../../contract/assumed.js";
import { operations } from "../../contract/contract.js";
import type { Schema } from "../../contract/operation.js";

/** The documented schema of a field of a create's body: what a decision assumed binds no file. */
export function documentedField(operation: string, field: string): z.ZodType {
  const body: Schema | undefined = operations[operation]?.body;
  const shape: unknown = body !== undefined && "shape" in body ? body.shape : undefined;
  const fieldEntry: unknown =
    typeof shape === "object" && shape !== null
      ? Object.entries(shape).find(([name]) => name === field)
      : undefined;
  const schema: unknown = Array.isArray(fieldEntry) ? fieldEntry[1] : undefined;
  if (!(schema instanceof z.ZodType)) throw new TypeError(`${operation} has no field ${field}`);
  const documented = documentedOnly(schema);
  return documented instanceof z.ZodType ? documented : z.unknown();
}

/** A text; a number in a file has lost its plus and its zeros. */
export const text = z.string({
  error: ({ input }) =>
    typeof input === "number" || typeof input === "boolean"
      ? "must be text: put it in quotes"
      : "must be text",
});

const named = text.refine((value) => value.trim() !== "", "must not be empty");
export const name = named;

/** A thing of the folder by its key, or one outside it by its exact name. */
export const reference = z.union(
  [named, z.strictObject({ live: named })],
  "must be a key like prompts/empfang, or { live: NAME }",
);
/** Null clears, as an empty list does (F3). */
export const references = z.array(reference, "must be a list of keys").nullable();

export const voice = z.union(
  [named, z.strictObject({ id: named })],
  "must be the voice's name, or { id: ID }",
);

const secretSource = text.regex(
  /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:.+|keychain:.+)$/s,
  "must be env:VARIABLE, file:PATH or keychain:NAME",
);
/** S1: where a secret comes from. Its value never stands in a file. */
export const secret = z.strictObject(
  { from: secretSource, version: z.int("must be a whole number").positive("must be from 1 on").optional() },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? undefined
        : "must be { from: env:NAME }: a secret's value never stands in a file",
  },
);

export const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);

/** U8: a header's value may be a credential, which stands by reference. */
export const headers = z.record(
  z.string(),
  z.union([text, secret], "must be text (a number in quotes), or { from: env:NAME } for a credential"),
  "must be an object of headers",
);

/** F4: fields that the contract does not know. */
export const extra = object.optional();

/** Members that every file of a thing may have beside its fields. */
export const common = { extra, exclude: z.boolean("must be true or false").optional() };

/** The same of Markdown's front matter. */
export const markdown = {
  ...common,
  /** F5: the text where the body can't carry it whole. */
  text: text.optional(),
  newline: z.enum(["lf", "crlf"], "must be lf or crlf").optional(),
  variables: z.boolean("must be true or false").optional(),
};
