import { documentedOnly } from "../../contract/assumed.js";
import type { Operation } from "../../contract/operation.js";
import { usageError } from "../errors/errors.js";
import { FlaggedError } from "../errors/exit-codes.js";
import type { Fields } from "../output/fields.js";
import type { Command } from "../session/command.js";
import type { Input } from "../session/input.js";
import type { Session } from "../session/session.js";
import { askFor, type ReadWritten, type SpecialFields, warnOfMeaning } from "./ask.js";
import { bodyFlags, readBody } from "./body.js";
import { checkDocumented, flagAt } from "./check.js";
import { pathArguments, readPath, resolveFields, resolvePath } from "./derived.js";
import { type FieldFlag, fieldFlags, flagsOf, readFieldsAndFiles } from "./field-flags.js";
import type { Derivation } from "./noun.js";
import { dryRunFlag, plannedPath, printRequests } from "./requests.js";
import { fieldsOf, requiredFields } from "./schema.js";
import { readSecretField, secretFieldFlags } from "./secret-input.js";

/** `create` and `update`: whatever sends a body. */
export function sendCommand(derivation: Derivation, special: SpecialFields = {}): Command {
  const { name, operation, resource, verb } = derivation;
  const { secret } = special;
  const required = operation.method === "POST" ? neededFields(operation) : [];
  const fields = fieldFlags(operation.body, resource, verb, secret === undefined ? [] : [secret]).map(
    (one) => {
      const ofProfile = special.ofProfile?.[one.field.name];
      const more = {
        ...(required.includes(one.field.name) ? { required: true } : {}),
        ...(ofProfile === undefined ? {} : { ofProfile }),
      };
      return { ...one, flag: { ...one.flag, ...more } };
    },
  );
  return {
    name: name.slice(name.lastIndexOf(".") + 1),
    summary: operation.summary,
    ...(verb.description === undefined ? {} : { description: verb.description }),
    arguments: pathArguments(derivation).map(({ argument }) => argument),
    flags: [
      ...flagsOf(fields),
      ...(secret === undefined ? [] : secretFieldFlags(secret)),
      ...bodyFlags,
      dryRunFlag,
    ],
    examples: verb.examples,
    async run(session, input) {
      const dryRun = input.on("dry-run") === true;
      const connect = () => session.connect({ mutates: !dryRun });
      const path = readPath(derivation, input);
      const { body, named } = await readSent({ ...derivation, ...special }, fields, input, session);
      checkDocumented(operation.body, body, fields, named);
      await warnOfMeaning(special.meant, body, session.notes);
      const resolvedPath = await resolvePath(derivation, path, session, connect);
      const resolvedBody = await resolveFields(body, fields, named, session, connect);
      if (dryRun) {
        await printRequests(session, [
          {
            method: operation.method,
            path: await plannedPath(session, name, resolvedPath),
            body: resolvedBody,
          },
        ]);
        return;
      }
      const { client } = await connect();
      const answer = await client
        .call(name, { path: resolvedPath, body: resolvedBody }, { signal: session.signal })
        .catch((error: unknown) => {
          throw new FlaggedError(error, (at) => flagAt(fields, at));
        });
      await session.output.item(answer.data, {
        columns: resource.columns,
        ...(resource.detail ? { detail: resource.detail } : {}),
        fields: fieldsOf(operation.response).map((field) => field.name),
      });
    },
  };
}

/** The fields that a body must have by the documents. */
function neededFields({ body }: Operation): string[] {
  return requiredFields(body && documentedOnly(body));
}

/** Fields that are shown and can't be sent: `id`, `created_at`. */
function readOnlyFields({ body, response }: Operation): string[] {
  const sent = fieldsOf(body)
    .filter(({ kind }) => kind !== "never")
    .map(({ name }) => name);
  return fieldsOf(response)
    .map(({ name }) => name)
    .filter((name) => !sent.includes(name));
}

/** The body as flags, `--data` and `--set` make it; on a terminal, what a create still needs is asked for. */
async function readSent(
  derivation: Derivation & SpecialFields,
  fields: readonly FieldFlag[],
  input: Input,
  session: Session,
): Promise<{ body: Fields; named: Set<string> }> {
  const { operation, secret, written } = derivation;
  const values = await readFieldsAndFiles(fields, input, session);
  for (const { field, flag } of fields) {
    const read = written?.[field.name];
    const value = values.get(field.name);
    if (read && Array.isArray(value))
      values.set(
        field.name,
        await Promise.all(value.map((one) => readNoted(read, String(one), `--${flag.name}`, session))),
      );
  }
  const text = secret === undefined ? undefined : await readSecretField(secret, input, session);
  if (secret !== undefined && text !== undefined) values.set(secret, text);
  const body = await readBody(input, values, session, readOnlyFields(operation));
  // A value that `--set` overwrote is no longer a name.
  const named = new Set([...values.keys()].filter((field) => body[field] === values.get(field)));
  if (operation.method === "PATCH") {
    // An empty object is a valid PATCH, for whoever says so (D-body).
    if (Object.keys(body).length > 0 || input.has("data")) return { body, named };
    throw usageError("nothing to change was given", {
      hint: `Give at least one of ${flagNames(fields)}, --data or --set`,
    });
  }
  const missing = neededFields(operation).filter((field) => body[field] === undefined);
  // A create of which nothing was said is put together by questions.
  const whole = derivation.name.endsWith(".create") && Object.keys(body).length === 0 && !input.has("data");
  const canAsk = session.prompts.available && !input.has("data");
  if (missing.length === 0 && !(whole && canAsk)) return { body, named };
  const flags = fields.filter(({ field }) => missing.includes(field.name));
  const other = missing.filter((field) => !flags.some((flag) => flag.field.name === field));
  if (!canAsk || other.length > 0) {
    const names = [
      ...flags.map(({ flag }) => `--${flag.name}`),
      ...other.map((field) => `--data (${field})`),
    ];
    throw usageError(`${derivation.name.replaceAll(".", " ")} needs ${names.join(", ")}`, {
      details: missing.map((field) => {
        const flag = flags.find((one) => one.field.name === field)?.flag.name;
        return {
          path: [field],
          message: "is required",
          ...(flag === undefined ? {} : { flag: `--${flag}` }),
        };
      }),
    });
  }
  const dryRun = input.on("dry-run") === true;
  const typed = [
    ...(input.typed ?? input.arguments),
    ...input.texts("set").flatMap((text) => ["--set", text]),
  ];
  const nested = fieldsOf(operation.body).flatMap(({ kind, name }) => (kind === "nested" ? [name] : []));
  const answers = await askFor({ fields, nested, body, whole, dryRun, typed }, derivation, session);
  for (const field of answers.keys()) named.add(field);
  return { body: { ...body, ...Object.fromEntries(answers) }, named };
}

function flagNames(fields: readonly FieldFlag[]): string {
  return fields.map(({ flag }) => `--${flag.name}`).join(", ");
}

async function readNoted(read: ReadWritten, typed: string, flag: string, session: Session): Promise<string> {
  const { value, note } = await read(typed, flag, session);
  if (note !== undefined) session.notes.note(note);
  return value;
}
