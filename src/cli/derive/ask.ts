import * as z from "zod";
import { documentedOnly } from "../../contract/assumed.js";
import type { Schema } from "../../contract/operation.js";
import { refusedError } from "../errors.js";
import type { Fields } from "../output/fields.js";
import { givenAs, type Referable, readAll } from "../references.js";
import type { Session } from "../session.js";
import { commandLineOf } from "../shell-words.js";
import { escapeControl } from "../text.js";
import type { Derivation } from "./derived.js";
import type { FieldFlag } from "./field-flags.js";
import { requiredFields } from "./schema.js";

/** More choices than this are typed, not picked. */
const mostChoices = 1_000;
const masked = "********";
const longestShown = 60;

/** What a person answered, and how it is said again. */
interface Answer {
  value: unknown;
  /** As its flag takes it: the names of things where the value has ids. */
  words: readonly string[];
}

export interface Asked {
  fields: readonly FieldFlag[];
  /** What flags gave already. */
  body: Fields;
  /** No flag was given at all: what can be left out is offered, too. */
  whole: boolean;
  dryRun: boolean;
  /** What was typed beside the fields: arguments, `--set`. */
  typed: readonly string[];
}

/**
 * Asks a person for what a new thing still needs, field by field, shows it whole and has it confirmed; then says the
 * command that does the same.
 * @throws refused error (12) when it is not confirmed, interrupted error (130)
 */
export async function askFor(
  { fields, body, whole, dryRun, typed }: Asked,
  derivation: Derivation,
  session: Session,
): Promise<Map<string, unknown>> {
  const { operation, resource, name } = derivation;
  const { secret } = resource;
  await session.connect({ mutates: !dryRun });
  session.notes.note(`A new ${resource.noun}:`);
  const answers = new Map<string, Answer>();
  const documented = requiredFields(operation.body && documentedOnly(operation.body));
  const assumed = requiredFields(operation.body);
  const askField = async (field: FieldFlag) => {
    const schema = fieldSchema(operation.body, field.field.name);
    const answer = await ask(field, schema, session, documented.includes(field.field.name));
    if (answer) answers.set(field.field.name, answer);
  };

  const open = () => fields.filter(({ field }) => body[field.name] === undefined && !answers.has(field.name));
  for (const one of open()) {
    const isNeeded = documented.includes(one.field.name);
    // What only a decision makes needed can be left empty: the service may not insist on it.
    if (isNeeded || (whole && assumed.includes(one.field.name))) await askField(one);
  }
  for (const left = new Set(open()); whole; ) {
    const hasSecret = secret !== undefined && body[secret] === undefined && !answers.has(secret);
    if (left.size === 0 && !hasSecret) break;
    const more = await session.prompts.choose<FieldFlag | "secret" | "done">({
      message: "anything else?",
      choices: [
        { name: "no, that is all", value: "done" },
        ...[...left].map((one) => ({
          name: one.flag.name,
          value: one,
          description: one.flag.description,
        })),
        ...(hasSecret ? [{ name: secret, value: "secret" as const, description: "is not shown" }] : []),
      ],
    });
    if (more === "done") break;
    if (more === "secret") {
      const value = await session.prompts.secret({ message: `${secret}:` });
      session.secrets.add(value);
      if (value !== "" && secret !== undefined) answers.set(secret, { value, words: [] });
      continue;
    }
    left.delete(more);
    await askField(more);
  }

  const complete = (field: string) => answers.get(field)?.words ?? wordsOf(body[field]);
  const given = fields.filter(({ field }) => body[field.name] !== undefined || answers.has(field.name));
  const asksSecret = secret !== undefined && (answers.has(secret) || body[secret] !== undefined);
  await confirmNew(session, {
    noun: resource.noun,
    dryRun,
    rows: [
      ...given.map(({ field, flag }) => [flag.name, complete(field.name).join(", ")] as const),
      ...(asksSecret ? [[secret, masked] as const] : []),
    ],
    words: [
      ...name.split("."),
      ...given.flatMap(({ field, flag }) => flagWords(flag.name, field.kind, complete(field.name))),
      ...(asksSecret ? [`--${secret}`] : []),
      ...typed,
    ],
  });
  return new Map([...answers].map(([field, { value }]) => [field, value]));
}

/**
 * Shows what was put together, has it confirmed, and says the command to copy.
 * @param words of the command, without the program's name
 * @throws refused error (12)
 */
export async function confirmNew(
  session: Session,
  made: {
    noun: string;
    dryRun: boolean;
    rows: readonly (readonly [string, string])[];
    words: readonly string[];
  },
): Promise<void> {
  const { notes, flags, prompts } = session;
  const width = Math.max(0, ...made.rows.map(([name]) => name.length));
  notes.raw("\n");
  for (const [name, value] of made.rows) {
    const shown = value.length > longestShown ? `${value.slice(0, longestShown - 1)}…` : value;
    notes.raw(`  ${notes.paint.dim(name.padEnd(width))}  ${escapeControl(shown)}\n`);
  }
  notes.raw("\n");
  if (!made.dryRun && !flags.yes && !(await prompts.confirm({ message: `Create this ${made.noun}?` })))
    throw refusedError("not confirmed; nothing was sent");
  const profile = flags.profile === undefined ? [] : ["--profile", flags.profile];
  notes.raw(`${notes.paint.dim("The same as a command:")}\n`);
  notes.raw(`  ${notes.paint.cyan(commandLineOf([...made.words, ...profile]))}\n\n`);
}

function flagWords(flag: string, kind: FieldFlag["field"]["kind"], words: readonly string[]): string[] {
  if (kind === "boolean") return words[0] === "false" ? [`--no-${flag}`] : [`--${flag}`];
  // A value with a dash before it would be taken for a flag.
  return words.flatMap((word) => (word.startsWith("-") ? [`--${flag}=${word}`] : [`--${flag}`, word]));
}

function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return value === undefined ? [] : [String(value)];
}

async function ask(
  { field, flag, reference }: FieldFlag,
  schema: Schema | undefined,
  session: Session,
  required: boolean,
): Promise<Answer | undefined> {
  const message = `${flag.name.replaceAll("-", " ")}:`;
  const several = field.kind === "texts";
  if (reference && several) return askReferences(reference, message, session);
  if (reference) return askReference(reference, message, session);
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
  const parse = (text: string): unknown => {
    if (field.kind === "number") return Number(text);
    if (field.kind === "numbers") return parts(text).map(Number);
    return several ? parts(text) : text;
  };
  const text = await session.prompts.text({
    message: several || field.kind === "numbers" ? `${message} (several by comma)` : message,
    required,
    validate: (value) => {
      if (value === "" && !required) return true;
      const result = schema && z.safeParse(documentedOnly(schema), parse(value));
      return result?.success === false ? (result.error.issues[0]?.message ?? "is not allowed") : true;
    },
  });
  if (text === "" && !required) return undefined;
  const value = parse(text);
  return { value, words: wordsOf(value) };
}

function parts(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** One of those there are, by name: typed letters narrow the choice. */
export async function askReference(
  reference: Referable,
  message: string,
  session: Session,
): Promise<{ value: string; words: [string] }> {
  const known = await choicesOf(reference, session);
  if (known.length > 0 && known.length <= mostChoices) {
    const value = await session.prompts.choose({ message, choices: known.map(choiceOf), search: true });
    return { value, words: [wordFor(value, known)] };
  }
  const value = await session.prompts.text({ message: `${message} (${givenAs(reference)})`, required: true });
  return { value, words: [value] };
}

async function askReferences(
  reference: Referable,
  message: string,
  session: Session,
): Promise<Answer | undefined> {
  const known = await choicesOf(reference, session);
  const ids: string[] = [];
  while (ids.length < known.length) {
    const left = known.filter(({ id }) => !ids.includes(id));
    const id = await session.prompts.choose<string | undefined>({
      message: ids.length === 0 ? message : `${message} another?`,
      choices: [{ name: "no more", value: undefined }, ...left.map(choiceOf)],
      search: true,
    });
    if (id === undefined) break;
    ids.push(id);
  }
  return ids.length === 0 ? undefined : { value: ids, words: ids.map((id) => wordFor(id, known)) };
}

interface Known {
  id: string;
  name: string;
}

async function choicesOf(reference: Referable, session: Session): Promise<Known[]> {
  // Connected already, and allowed to change things where that matters.
  const { client } = await session.connect();
  const known: Known[] = [];
  for await (const { id, name } of readAll(client, reference, session)) {
    known.push({ id, name });
    if (known.length > mostChoices) break;
  }
  return known;
}

function choiceOf({ id, name }: Known): { name: string; value: string; description: string } {
  return { name, value: id, description: id };
}

/** The name, where it says which; else the id. */
function wordFor(id: string, known: readonly Known[]): string {
  const name = known.find((one) => one.id === id)?.name;
  return name === undefined || known.filter((one) => one.name === name).length > 1 ? id : name;
}

function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape: Readonly<Record<string, Schema>> = schema.shape;
  return shape[name];
}
