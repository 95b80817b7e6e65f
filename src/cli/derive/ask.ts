import * as z from "zod";
import { documentedOnly } from "../../contract/assumed.js";
import type { Schema } from "../../contract/operation.js";
import { type Referable, readAll } from "../references.js";
import type { Session } from "../session.js";
import type { Derivation } from "./derived.js";
import type { FieldFlag } from "./field-flags.js";

/** More choices than this are typed, not picked. */
const mostChoices = 200;

/** Asks a person for these fields, one after the other. */
export async function askFor(
  flags: readonly FieldFlag[],
  { operation, resource }: Derivation,
  session: Session,
): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  await session.connect({ mutates: true });
  session.notes.note(`A new ${resource.noun}:`);
  for (const flag of flags)
    answers.set(flag.field.name, await ask(flag, fieldSchema(operation.body, flag.field.name), session));
  return answers;
}

async function ask(
  { field, flag, reference }: FieldFlag,
  schema: Schema | undefined,
  session: Session,
): Promise<unknown> {
  const message = `${flag.name.replaceAll("-", " ")}:`;
  if (reference) return askReference(reference, message, session);
  if (field.choices)
    return session.prompts.choose({
      message,
      choices: field.choices.map((choice) => ({ name: choice, value: choice })),
    });
  if (field.kind === "boolean") return session.prompts.confirm({ message });
  const parse = (text: string): unknown =>
    field.kind === "number"
      ? Number(text)
      : field.kind === "texts"
        ? text.split(",").map((part) => part.trim())
        : text;
  const text = await session.prompts.text({
    message: field.kind === "texts" ? `${message} (several by comma)` : message,
    required: true,
    validate: (value) => {
      const result = schema && z.safeParse(documentedOnly(schema), parse(value));
      return result?.success === false ? (result.error.issues[0]?.message ?? "is not allowed") : true;
    },
  });
  return parse(text);
}

async function askReference(reference: Referable, message: string, session: Session): Promise<string> {
  const { client } = await session.connect({ mutates: true });
  const choices: { name: string; value: string; description: string }[] = [];
  for await (const { id, name } of readAll(client, reference, session)) {
    choices.push({ name, value: id, description: id });
    if (choices.length > mostChoices)
      return session.prompts.text({ message: `${message} (name or id)`, required: true });
  }
  if (choices.length === 0)
    return session.prompts.text({ message: `${message} (name or id)`, required: true });
  return session.prompts.choose({ message, choices });
}

function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape: Readonly<Record<string, Schema>> = schema.shape;
  return shape[name];
}
