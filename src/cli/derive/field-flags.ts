import { toKebabCase } from "../../base/text.js";
import type { Schema } from "../../contract/operation.js";
import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import { describeAccepted, type Referable } from "../session/references/references.js";
import type { Session } from "../session/session.js";
import { fileFlag, readGuardedText, readText, textPlaceholder } from "../session/text-source.js";
import type { Noun, Verb } from "./noun.js";
import { type Field, listFields } from "./schema.js";

/** A field of a query or body, and the flag that sets it. */
export interface FieldFlag {
  field: Field;
  flag: Flag;
  /** The resource that its value names, where it is an id. */
  reference: Referable | undefined;
  /** Where its text may come from besides: the value itself (`@FILE`), or a flag of its own (`--details-file`). */
  file?: "by value" | "by flag";
}

/** The fields that hold what people write in files. What a script passes on from elsewhere opens none by its value. */
const fileFields: Readonly<Record<string, FieldFlag["file"]>> = {
  text: "by value",
  introduction: "by value",
  definition: "by value",
  description: "by value",
  details: "by flag",
};

/** `group_id` → `group`, `phone_numbers` → `phone-number`, `knowledge_group_ids` → `knowledge-group`. */
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

/** The flags of the fields of a schema that a flag can carry; nested ones go by `--data`. */
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

/** The flags as a command has them: with the ones that read a text's file. */
export function expandFlags(fields: readonly FieldFlag[]): Flag[] {
  return fields.flatMap(({ flag, file }) => (file === "by flag" ? [flag, fileFlag(flag.name)] : [flag]));
}

function buildFlag(field: Field, reference: Referable | undefined, verb: Verb): Flag {
  const name = verb.flagNames?.[field.name] ?? toFlagName(field, reference !== undefined);
  const plain = toKebabCase(field.name);
  const placeholder = reference ? toPlaceholder(reference) : placeholders[field.type];
  return {
    name,
    description: verb.flagHelp?.[field.name] ?? field.description ?? describe(field, reference),
    ...(placeholder === undefined ? { negatable: true } : { value: placeholder }),
    ...(field.type === "texts" || field.type === "numbers" ? { repeatable: true } : {}),
    ...(field.choices ? { choices: field.choices } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
    // The field's own name is what someone who reads the API's documents types.
    ...(plain === name || verb.flagNames?.[field.name] ? {} : { aliases: [plain] }),
  };
}

/** `name|id`, as a placeholder says "name or id". */
function toPlaceholder(reference: Referable): string {
  return describeAccepted(reference)
    .split(/, | or /)
    .map((word) => word.replaceAll(" ", "-"))
    .join("|");
}

function describe(field: Field, reference: Referable | undefined): string {
  return reference
    ? `the ${reference.noun}, by ${describeAccepted(reference)}`
    : field.name.replaceAll("_", " ");
}

/**
 * The values of the fields whose flags were given, typed as the fields are. @throws usage error (2) that names the
 * flag
 */
export function readFieldFlags(flags: readonly FieldFlag[], input: Input): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { field, flag } of flags) {
    const names = [flag.name, ...(flag.aliases ?? [])];
    const given = names.filter((name) => input.on(name) !== undefined);
    if (given.length === 0) continue;
    values.set(field.name, readFieldValue(field, flag, given, input));
  }
  return values;
}

/**
 * The same with the texts of files in place of the values that name them. @throws usage error (2) that names the flag
 */
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
    if (file === "by flag") {
      const text = await readGuardedText(flag.name, input, session);
      if (text !== undefined) values.set(field.name, text);
    }
  }
  return values;
}

function readFieldValue(field: Field, flag: Flag, given: readonly string[], input: Input): unknown {
  switch (field.type) {
    case "boolean":
      return given.some((name) => input.on(name) === true);
    case "texts":
      return given.flatMap((name) => input.texts(name));
    case "numbers":
      return given.flatMap((name) => input.texts(name)).map((text) => parseNumber(text, flag));
    case "number":
      return parseNumber(readSingleValue(given, flag, input), flag);
    default:
      return readSingleValue(given, flag, input);
  }
}

function readSingleValue(given: readonly string[], flag: Flag, input: Input): string {
  const [first = flag.name, second] = given;
  if (second !== undefined) throw usageError(`--${first} and --${second} are the same; give one`);
  return input.text(first) ?? "";
}

function parseNumber(text: string, flag: Flag): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number))
    throw usageError(`--${flag.name}: "${text}" must be a number`);
  return number;
}
