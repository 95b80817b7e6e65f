import * as z from "zod";
import { SecretSource } from "../../../client/source-schemas.js";
import { documentedOnly } from "../../../contract/assumed.js";
import { operations } from "../../../contract/contract.js";
import type { Schema } from "../../../contract/operation.js";

/**
 * Returns a field's schema without the constraints that the contract assumes but the documents don't define.
 */
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

/** A string. Refuses numbers, because YAML drops the plus sign and leading zeros of unquoted numbers. */
export const text = z.string({
  error: ({ input }) =>
    typeof input === "number" || typeof input === "boolean"
      ? "must be text: put the value in quotes"
      : "must be text",
});

const named = text.refine((value) => value.trim() !== "", "must not be empty");
export const name = named;

/** Key of a resource in the directory, or exact name of a resource outside it. */
export const reference = z.union(
  [named, z.strictObject({ live: named })],
  "must be a key like prompts/empfang, or { live: NAME }",
);
/** Null clears the list, as an empty list does. */
export const references = z.array(reference, "must be a list of keys").nullable();

export const voice = z.union(
  [named, z.strictObject({ id: named })],
  "must be the voice's name, or { id: ID }",
);

/** Files never contain a secret's value. */
export const secret = z.strictObject(
  {
    from: text.pipe(SecretSource),
    version: z.int("must be a whole number").positive("must be at least 1").optional(),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? undefined
        : "must be { from: env:NAME }: files must not contain secret values",
  },
);

export const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);

/** A credential must be a secret. */
export const headers = z.record(
  z.string(),
  z.union([text, secret], "must be text (put numbers in quotes) or, for a credential, { from: env:NAME }"),
  "must be a mapping of header names to values",
);

/** Fields that the contract doesn't define. */
export const extra = object.optional();

export const common = { extra, exclude: z.boolean("must be true or false").optional() };

export const markdown = {
  ...common,
  /** The text, if a Markdown body can't represent it. */
  text: text.optional(),
  newline: z.enum(["lf", "crlf"], "must be lf or crlf").optional(),
  variables: z.boolean("must be true or false").optional(),
};
