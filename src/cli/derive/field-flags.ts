import { capitalize, toKebabCase } from "../../base/text.js";
import type { Schema } from "../../contract/operation.js";
import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import { describeAccepted, type Referable } from "../session/references/references.js";
import type { Session } from "../session/session.js";
import { readGuardedText, readText, textPlaceholder } from "../session/text-source.js";
import type { Noun, Verb } from "./noun.js";
import { type Field, listFields } from "./schema.js";

export interface FieldFlag {
  field: Field;
  flag: Flag;
  reference: Referable | undefined;
  /** `by value`: the flag accepts `@FILE`. `by set`: only `--set` accepts `@FILE` for this field. */
  file?: "by value" | "by set";
}

/** With `by set`, the flag's value never opens a file, because the text can come from an untrusted source. */
const fileFields: Readonly<Record<string, FieldFlag["file"]>> = {
  text: "by value",
  introduction: "by value",
  definition: "by value",
  description: "by value",
  details: "by set",
};

/**
 * Returns the flag name of a field: `group` for `group_id`, `phone-number` for `phone_numbers`,
 * `knowledge-group` for `knowledge_group_ids`.
 */
export function toFlagName(field: Field, reference: boolean): string {
  if (reference) return toKebabCase(field.name.replace(/(_ids?|Ids?)$/, ""));
  const repeated = field.type === "texts" || field.type === "numbers";
  return toKebabCase(repeated ? field.name.replace(/s$/, "") : field.name);
}

const placeholders: Readonly<Record<string, string>> = {
  text: "text",
  texts: "text",
  number: "number",
  numbers: "number",
  enum: "value",
};

/** Nested fields get no flag: users set them with `--data`. */
export function buildFieldFlags(
  schema: Schema | undefined,
  resource: Noun,
  verb: Verb,
  without: readonly string[] = [],
): FieldFlag[] {
  return listFields(schema)
    .filter(({ type, name }) => type !== "nested" && type !== "never" && !without.includes(name))
    .map((field) => {
      const reference = resource.references?.[field.name];
      const file =
        field.type === "text" && Object.hasOwn(fileFields, field.name) ? fileFields[field.name] : undefined;
      const flag = buildFlag(field, reference, verb);
      if (file === undefined) return { field, reference, flag };
      return {
        field,
        reference,
        file,
        flag: file === "by value" ? { ...flag, value: textPlaceholder } : flag,
      };
    });
}

function buildFlag(field: Field, reference: Referable | undefined, verb: Verb): Flag {
  const name = verb.flagNames?.[field.name] ?? toFlagName(field, reference !== undefined);
  const placeholder = reference ? toPlaceholder(reference) : placeholders[field.type];
  return {
    name,
    description: verb.flagHelp?.[field.name] ?? field.description ?? describe(field, reference),
    ...(placeholder === undefined ? { negatable: true } : { value: placeholder }),
    ...(field.type === "texts" || field.type === "numbers" ? { repeatable: true } : {}),
    ...(field.choices ? { choices: field.choices } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}

function toPlaceholder(reference: Referable): string {
  return describeAccepted(reference)
    .toLowerCase()
    .split(/, | or /)
    .map((word) => word.replaceAll(" ", "-"))
    .join("|");
}

function describe(field: Field, reference: Referable | undefined): string {
  const words = toKebabCase(field.name).replaceAll("-", " ");
  return capitalize(
    reference
      ? `${reference.noun}, by ${describeAccepted(reference)}`
      : words.replace(/\b(?:id|ipa|sip|uri|url)\b/g, (word) => word.toUpperCase()),
  );
}

/** @throws usage error (2) that names the flag */
export function readFieldFlags(flags: readonly FieldFlag[], input: Input): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { field, flag } of flags) {
    if (input.on(flag.name) !== undefined) values.set(field.name, readFieldValue(field, flag, input));
  }
  return values;
}

/** @throws usage error (2) that names the flag */
export async function readFieldsAndFiles(
  flags: readonly FieldFlag[],
  input: Input,
  session: Pick<Session, "io">,
): Promise<Map<string, unknown>> {
  const values = readFieldFlags(flags, input);
  for (const { field, flag, file } of flags) {
    const value = values.get(field.name);
    if (file === "by value" && typeof value === "string")
      values.set(field.name, await readText(value, `--${flag.name}`, session));
    if (file === "by set" && typeof value === "string")
      values.set(field.name, readGuardedText(value, flag.name));
  }
  return values;
}

function readFieldValue(field: Field, flag: Flag, input: Input): unknown {
  switch (field.type) {
    case "boolean":
      return input.on(flag.name) === true;
    case "texts":
      return input.texts(flag.name);
    case "numbers":
      return input.texts(flag.name).map((text) => parseNumber(text, flag));
    case "number":
      return parseNumber(input.text(flag.name) ?? "", flag);
    default:
      return input.text(flag.name) ?? "";
  }
}

function parseNumber(text: string, flag: Flag): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number))
    throw usageError(`invalid --${flag.name} "${text}": expected a number`);
  return number;
}
