import * as z from "zod";
import { describeIssue } from "../../base/describe-issue.js";
import type { Fields } from "../../base/fields.js";
import { secretMask } from "../../base/secret-mask.js";
import { buildFlagWords } from "../../base/shell-words.js";
import { documentedOnly } from "../../contract/assumed.js";
import { findFieldSchema } from "../../contract/field-schema.js";
import type { Schema } from "../../contract/operation.js";
import { CliError } from "../errors/errors.js";
import type { Flag } from "../session/input.js";
import type { Session } from "../session/session.js";
import { literalText } from "../session/text-source.js";
import type { Notes } from "../terminal/notes.js";
import { askReference, askReferences, type Reply } from "./ask-reference.js";
import { confirmNew } from "./confirm-new.js";
import type { FieldFlag } from "./field-flags.js";
import type { Derivation } from "./noun.js";
import { listRequiredFields } from "./schema.js";

/** Value of the choice that ends the prompts. No field has this name. */
const done = "";

export interface Offer {
  value: string;
  description: string;
}

export type ReadWritten = (typed: string, flag: string, session: Session) => Promise<Written>;

export interface Written {
  value: string;
  note?: string;
}

export type Interpreters = Readonly<Record<string, (typed: string) => Promise<string>>>;

/** Doesn't refuse unusual values, because the service can accept them. */
export async function warnOfUsualValue(
  interpreters: Interpreters | undefined,
  body: Fields,
  notes: Notes,
): Promise<void> {
  for (const [field, read] of Object.entries(interpreters ?? {})) {
    const value = body[field];
    if (typeof value !== "string") continue;
    const usualValue = await read(value);
    if (usualValue !== value)
      notes.warn(`${field}: "${value}" is sent unchanged; the usual value is "${usualValue}"`);
  }
}

export interface SpecialFields {
  /** Suggested values for fields without choices, most likely first. The user can type other values. */
  offers?: Readonly<Record<string, (session: Session) => Promise<readonly Offer[]>>>;
  interpreters?: Interpreters;
  /** Converters for fields whose typed form differs from the form that is sent. */
  written?: Readonly<Record<string, ReadWritten>>;
  ofProfile?: Readonly<Record<string, Flag["ofProfile"]>>;
  /** Secret field. No flag accepts its value, because other users can read command lines. */
  secret?: string;
}

export interface AskOptions {
  fields: readonly FieldFlag[];
  nested: readonly string[];
  body: Fields;
  /** Whether to offer optional fields too, because no flag was set. */
  whole: boolean;
  dryRun: boolean;
  typed: readonly string[];
}

/**
 * Prints the equivalent command at the end.
 * @throws refused error (12) if the user does not confirm, interrupted error (130)
 */
export async function askFor(
  { fields, nested, body, whole, dryRun, typed }: AskOptions,
  derivation: Derivation & SpecialFields,
  session: Session,
): Promise<Map<string, unknown>> {
  const { operation, resource, name, secret } = derivation;
  await session.connect({ mutates: !dryRun });
  session.notes.note(`New ${resource.noun}:`);
  const replies = new Map<string, Reply>();
  const documented = listRequiredFields(operation.body && documentedOnly(operation.body));
  const assumed = listRequiredFields(operation.body);
  const askField = async (field: FieldFlag) => {
    const schema = findFieldSchema(operation.body, field.field.name);
    const reply =
      (await askOffered(field, derivation, session)) ??
      (await interpretReply(
        await ask(field, session, {
          schema,
          required: documented.includes(field.field.name),
          written: derivation.written?.[field.field.name],
        }),
        derivation.interpreters?.[field.field.name],
      ));
    if (reply) replies.set(field.field.name, reply);
  };

  const open = () => fields.filter(({ field }) => body[field.name] === undefined && !replies.has(field.name));
  for (const fieldFlag of open()) {
    const isNeeded = documented.includes(fieldFlag.field.name);
    // If no flag was set, also ask for fields that the service may require, but accept empty replies for
    // them.
    if (isNeeded || (whole && assumed.includes(fieldFlag.field.name))) await askField(fieldFlag);
  }
  for (const left = new Set<FieldFlag | string>([...open(), ...nested]); whole; ) {
    const hasSecret = secret !== undefined && body[secret] === undefined && !replies.has(secret);
    if (left.size === 0 && !hasSecret) break;
    const more = await session.prompts.choose<FieldFlag | string>({
      message: "Set another field?",
      choices: [
        { name: "no, finish", value: done },
        ...[...left].map((choice) =>
          typeof choice === "string"
            ? { name: choice, value: choice, description: "As JSON" }
            : { name: choice.flag.name, value: choice, description: choice.flag.description },
        ),
        ...(hasSecret ? [{ name: secret, value: secret, description: "Hidden input" }] : []),
      ],
      isFirstDefault: true,
    });
    if (more === done) break;
    if (more === secret) {
      const value = await session.prompts.secret({ message: `${secret}:` });
      session.secrets.add(value);
      if (value !== "" && secret !== undefined) replies.set(secret, { value, words: [] });
      continue;
    }
    left.delete(more);
    if (typeof more !== "string") await askField(more);
    else replies.set(more, await askJson(more, findFieldSchema(operation.body, more), session));
  }

  const hasReply = (field: string) => replies.has(field);
  const complete = (field: string) => replies.get(field)?.words ?? toWords(body[field]);
  const given = fields.filter(({ field }) => body[field.name] !== undefined || replies.has(field.name));
  const asksSecret = secret !== undefined && (replies.has(secret) || body[secret] !== undefined);
  await confirmNew(session, {
    noun: resource.noun,
    dryRun,
    rows: [
      ...given.map(({ field, flag }) => [flag.name, complete(field.name).join(", ")] as const),
      ...nested.filter(hasReply).map((name) => [name, complete(name).join("")] as const),
      ...(asksSecret ? [[secret, secretMask] as const] : []),
    ],
    words: [
      ...name.split("."),
      ...given.flatMap((fieldFlag) => toFlagWords(fieldFlag, complete(fieldFlag.field.name))),
      ...nested.filter(hasReply).flatMap((name) => ["--set", `${name}=${complete(name).join("")}`]),
      ...(asksSecret ? ["--secret", "ask"] : []),
      ...typed,
    ],
  });
  return new Map([...replies].map(([field, { value }]) => [field, value]));
}

function toFlagWords({ field, flag, file }: FieldFlag, words: readonly string[]): string[] {
  if (field.type === "boolean") return words[0] === "false" ? [`--no-${flag.name}`] : [`--${flag.name}`];
  return words.flatMap((word) => buildFlagWords(flag.name, file === undefined ? word : literalText(word)));
}

function toWords(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toWords);
  return value === undefined ? [] : [String(value)];
}

async function interpretReply(
  reply: Reply | undefined,
  interpret: ((typed: string) => Promise<string>) | undefined,
): Promise<Reply | undefined> {
  if (interpret === undefined || typeof reply?.value !== "string") return reply;
  const value = await interpret(reply.value);
  return { value, words: [value] };
}

async function askOffered(
  { field, flag }: FieldFlag,
  { offers }: SpecialFields,
  session: Session,
): Promise<Reply | undefined> {
  const offered = await offers?.[field.name]?.(session);
  if (!offered || offered.length === 0) return undefined;
  const value = await session.prompts.choose<string | undefined>({
    message: `${flag.name.replaceAll("-", " ")}:`,
    choices: [
      ...offered.map(({ value: offeredValue, description }) => ({
        name: offeredValue,
        value: offeredValue,
        description,
      })),
      { name: "another", value: undefined, description: "Type another value" },
    ],
    search: true,
    isFirstDefault: true,
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
): Promise<Reply | undefined> {
  const message = `${flag.name.replaceAll("-", " ")}:`;
  const several = field.type === "texts";
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
  if (field.type === "boolean") {
    const value = await session.prompts.confirm({ message });
    return { value, words: [String(value)] };
  }
  // Don't print a note, because the user sees the converted value before the request is sent.
  const read = async (typed: string) =>
    written ? (await written(typed, `--${flag.name}`, session)).value : typed;
  const parse = async (text: string): Promise<unknown> => {
    if (field.type === "number") return Number(text);
    if (field.type === "numbers") return splitList(text).map(Number);
    return several ? Promise.all(splitList(text).map(read)) : read(text);
  };
  const text = await session.prompts.text({
    message: several || field.type === "numbers" ? `${message} (comma-separated)` : message,
    required,
    validate: async (value) => {
      if (value === "" && !required) return true;
      const parsed = await parse(value).catch((error: unknown) => {
        if (error instanceof CliError) return error;
        throw error;
      });
      // Remove the flag from the error: the user answered a prompt.
      if (parsed instanceof CliError)
        return [parsed.message.replace(/^--\S+: |(?<=^invalid )--\S+ /, ""), parsed.hint ?? ""]
          .join("\n")
          .trim();
      const result = schema && z.safeParse(documentedOnly(schema), parsed, { error: describeIssue });
      return result?.success === false ? (result.error.issues[0]?.message ?? "is not allowed") : true;
    },
  });
  if (text === "" && !required) return undefined;
  const value = await parse(text);
  return { value, words: toWords(value) };
}

async function askJson(name: string, schema: Schema | undefined, { prompts }: Session): Promise<Reply> {
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
      if (!json) return "invalid JSON";
      const result = schema && z.safeParse(documentedOnly(schema), json.value, { error: describeIssue });
      if (result?.success !== false) return true;
      const [issue] = result.error.issues;
      return `${issue?.path.map((part) => `${String(part)}: `).join("") ?? ""}${issue?.message ?? "is not allowed"}`;
    },
  });
  return { value: parsed(text)?.value, words: [text.trim()] };
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
