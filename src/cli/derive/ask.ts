import * as z from "zod";
import { secretMask } from "../../base/secret-mask.js";
import { documentedOnly } from "../../contract/assumed.js";
import type { Schema } from "../../contract/operation.js";
import { CliError } from "../errors/errors.js";
import { flagWords } from "../errors/shell-words.js";
import type { Fields } from "../output/fields.js";
import type { Flag } from "../session/input.js";
import type { Session } from "../session/session.js";
import { literalText } from "../session/text-source.js";
import type { Notes } from "../terminal/notes.js";
import { type Answer, askReference, askReferences } from "./ask-reference.js";
import { complaint } from "./complaints.js";
import { confirmNew } from "./confirm-new.js";
import type { FieldFlag } from "./field-flags.js";
import type { Derivation } from "./noun.js";
import { requiredFields } from "./schema.js";

/** Chosen for nothing more; no field's name. */
const done = "";

/** A value that is likely meant, and what it is. */
export interface Offer {
  value: string;
  description: string;
}

/** The value that is sent for what a person wrote, and what is to be said of it. */
export type ReadWritten = (typed: string, flag: string, session: Session) => Promise<Written>;

export interface Written {
  value: string;
  note?: string;
}

/** Readers of fields' values that were typed instead of chosen: each answers the value that is meant. */
export type Meant = Readonly<Record<string, (typed: string) => Promise<string>>>;

/** Says what else a value may mean that stands on a line or in a file: it is sent as it is, since the service may take it. */
export async function warnOfMeaning(meant: Meant | undefined, body: Fields, notes: Notes): Promise<void> {
  for (const [field, read] of Object.entries(meant ?? {})) {
    const value = body[field];
    if (typeof value !== "string") continue;
    const other = await read(value);
    if (other !== value)
      notes.warn(`${field}: "${value}" is sent as it is; "${other}" is what is usual for it`);
  }
}

/** The facts about a body's fields that its schema does not tell. */
export interface SpecialFields {
  /**
   * Values that are offered when a field without choices is asked for, the most likely one first; another can be typed.
   */
  offers?: Readonly<Record<string, (session: Session) => Promise<readonly Offer[]>>>;
  meant?: Meant;
  /** Fields whose texts a person may write otherwise than they are sent. */
  written?: Readonly<Record<string, ReadWritten>>;
  /** Fields for which the profile may have a default. */
  ofProfile?: Readonly<Record<string, Flag["ofProfile"]>>;
  /** The field that holds a secret: no flag sets it to a text, since others can read a command line. */
  secret?: string;
}

export interface Asked {
  fields: readonly FieldFlag[];
  /** Fields that no flag can carry: objects, and lists of them. */
  nested: readonly string[];
  /** The values that flags gave already. */
  body: Fields;
  /** No flag was given at all: what can be left out is offered, too. */
  whole: boolean;
  dryRun: boolean;
  /** The other typed values: arguments, `--set`. */
  typed: readonly string[];
}

/**
 * Asks a person for what a new thing still needs, field by field, shows it whole and has it confirmed; then says the
 * command that does the same.
 * @throws refused error (12) when it is not confirmed, interrupted error (130)
 */
export async function askFor(
  { fields, nested, body, whole, dryRun, typed }: Asked,
  derivation: Derivation & SpecialFields,
  session: Session,
): Promise<Map<string, unknown>> {
  const { operation, resource, name, secret } = derivation;
  await session.connect({ mutates: !dryRun });
  session.notes.note(`A new ${resource.noun}:`);
  const answers = new Map<string, Answer>();
  const documented = requiredFields(operation.body && documentedOnly(operation.body));
  const assumed = requiredFields(operation.body);
  const askField = async (field: FieldFlag) => {
    const schema = fieldSchema(operation.body, field.field.name);
    const answer =
      (await askOffered(field, derivation, session)) ??
      (await withMeaning(
        await ask(field, session, {
          schema,
          required: documented.includes(field.field.name),
          written: derivation.written?.[field.field.name],
        }),
        derivation.meant?.[field.field.name],
      ));
    if (answer) answers.set(field.field.name, answer);
  };

  const open = () => fields.filter(({ field }) => body[field.name] === undefined && !answers.has(field.name));
  for (const one of open()) {
    const isNeeded = documented.includes(one.field.name);
    // A field that only a decision makes required can be left empty: the service may not insist on it.
    if (isNeeded || (whole && assumed.includes(one.field.name))) await askField(one);
  }
  for (const left = new Set<FieldFlag | string>([...open(), ...nested]); whole; ) {
    const hasSecret = secret !== undefined && body[secret] === undefined && !answers.has(secret);
    if (left.size === 0 && !hasSecret) break;
    const more = await session.prompts.choose<FieldFlag | string>({
      message: "anything else?",
      choices: [
        { name: "no, that is all", value: done },
        ...[...left].map((one) =>
          typeof one === "string"
            ? { name: one, value: one, description: "as JSON" }
            : { name: one.flag.name, value: one, description: one.flag.description },
        ),
        ...(hasSecret ? [{ name: secret, value: secret, description: "is not shown" }] : []),
      ],
      isFirstMeant: true,
    });
    if (more === done) break;
    if (more === secret) {
      const value = await session.prompts.secret({ message: `${secret}:` });
      session.secrets.add(value);
      if (value !== "" && secret !== undefined) answers.set(secret, { value, words: [] });
      continue;
    }
    left.delete(more);
    if (typeof more !== "string") await askField(more);
    else answers.set(more, await askJson(more, fieldSchema(operation.body, more), session));
  }

  const answered = (field: string) => answers.has(field);
  const complete = (field: string) => answers.get(field)?.words ?? wordsOf(body[field]);
  const given = fields.filter(({ field }) => body[field.name] !== undefined || answers.has(field.name));
  const asksSecret = secret !== undefined && (answers.has(secret) || body[secret] !== undefined);
  await confirmNew(session, {
    noun: resource.noun,
    dryRun,
    rows: [
      ...given.map(({ field, flag }) => [flag.name, complete(field.name).join(", ")] as const),
      ...nested.filter(answered).map((name) => [name, complete(name).join("")] as const),
      ...(asksSecret ? [[secret, secretMask] as const] : []),
    ],
    words: [
      ...name.split("."),
      ...given.flatMap((one) => fieldWords(one, complete(one.field.name))),
      ...nested.filter(answered).flatMap((name) => ["--set", `${name}=${complete(name).join("")}`]),
      ...(asksSecret ? [`--${secret}`] : []),
      ...typed,
    ],
  });
  return new Map([...answers].map(([field, { value }]) => [field, value]));
}

function fieldWords({ field, flag, file }: FieldFlag, words: readonly string[]): string[] {
  if (field.kind === "boolean") return words[0] === "false" ? [`--no-${flag.name}`] : [`--${flag.name}`];
  return words.flatMap((word) => flagWords(flag.name, file === undefined ? word : literalText(word)));
}

function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return value === undefined ? [] : [String(value)];
}

async function withMeaning(
  answer: Answer | undefined,
  meant: ((typed: string) => Promise<string>) | undefined,
): Promise<Answer | undefined> {
  if (meant === undefined || typeof answer?.value !== "string") return answer;
  const value = await meant(answer.value);
  return { value, words: [value] };
}

/** Undefined where nothing is offered, or something else is to be typed. */
async function askOffered(
  { field, flag }: FieldFlag,
  { offers }: SpecialFields,
  session: Session,
): Promise<Answer | undefined> {
  const offered = await offers?.[field.name]?.(session);
  if (!offered || offered.length === 0) return undefined;
  const value = await session.prompts.choose<string | undefined>({
    message: `${flag.name.replaceAll("-", " ")}:`,
    choices: [
      ...offered.map(({ value: one, description }) => ({ name: one, value: one, description })),
      { name: "another", value: undefined, description: "to be typed" },
    ],
    search: true,
    isFirstMeant: true,
  });
  return value === undefined ? undefined : { value, words: [value] };
}

async function ask(
  { field, flag, reference }: FieldFlag,
  session: Session,
  {
    schema,
    required,
    written,
  }: { schema: Schema | undefined; required: boolean; written: ReadWritten | undefined },
): Promise<Answer | undefined> {
  const message = `${flag.name.replaceAll("-", " ")}:`;
  const several = field.kind === "texts";
  if (reference && several) return askReferences(reference, message, session);
  if (reference) {
    const { defaults } = await session.profile();
    return askReference(reference, message, session, flag.ofProfile && defaults?.[flag.ofProfile]);
  }
  if (field.choices && !several) {
    const value = await session.prompts.choose({
      message,
      choices: field.choices.map((choice) => ({ name: choice, value: choice })),
    });
    return { value, words: [value] };
  }
  if (field.kind === "boolean") {
    const value = await session.prompts.confirm({ message });
    return { value, words: [String(value)] };
  }
  // What it was taken for is shown before anything is sent.
  const read = async (typed: string) =>
    written ? (await written(typed, `--${flag.name}`, session)).value : typed;
  const parse = async (text: string): Promise<unknown> => {
    if (field.kind === "number") return Number(text);
    if (field.kind === "numbers") return parts(text).map(Number);
    return several ? Promise.all(parts(text).map(read)) : read(text);
  };
  const text = await session.prompts.text({
    message: several || field.kind === "numbers" ? `${message} (several by comma)` : message,
    required,
    validate: async (value) => {
      if (value === "" && !required) return true;
      const parsed = await parse(value).catch((error: unknown) => {
        if (error instanceof CliError) return error;
        throw error;
      });
      // What the flag's error says, of a line that has no flag.
      if (parsed instanceof CliError)
        return [parsed.message.replace(/^--\S+: /, ""), parsed.hint ?? ""].join("\n").trim();
      const result = schema && z.safeParse(documentedOnly(schema), parsed, { error: complaint });
      return result?.success === false ? (result.error.issues[0]?.message ?? "is not allowed") : true;
    },
  });
  if (text === "" && !required) return undefined;
  const value = await parse(text);
  return { value, words: wordsOf(value) };
}

/** An object or a list, typed as JSON. */
async function askJson(name: string, schema: Schema | undefined, { prompts }: Session): Promise<Answer> {
  const parsed = (text: string): { value: unknown } | undefined => {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return undefined;
    }
  };
  const text = await prompts.text({
    message: `${name.replaceAll("_", " ")} (JSON):`,
    required: true,
    validate: (typed) => {
      const json = parsed(typed);
      if (!json) return "is no valid JSON";
      const result = schema && z.safeParse(documentedOnly(schema), json.value, { error: complaint });
      if (result?.success !== false) return true;
      const [issue] = result.error.issues;
      return `${issue?.path.map((part) => `${String(part)}: `).join("") ?? ""}${issue?.message ?? "is not allowed"}`;
    },
  });
  return { value: parsed(text)?.value, words: [text.trim()] };
}

function parts(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape: Readonly<Record<string, Schema>> = schema.shape;
  return shape[name];
}
