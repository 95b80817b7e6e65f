import { type Fields, isFields } from "../../base/fields.js";
import { inflect } from "../../base/text.js";
import { documentedOnly } from "../../contract/assumed.js";
import type { Operation } from "../../contract/operation.js";
import { isOperationName } from "../../contract/operation-names.js";
import { usageError } from "../errors/errors.js";
import { FlaggedError } from "../errors/exit-codes.js";
import type { Command } from "../session/command.js";
import type { Input } from "../session/input.js";
import type { Connection, Session } from "../session/session.js";
import { askFor, type ReadWritten, type SpecialFields, warnOfUsualValue } from "./ask.js";
import { bodyFlags, readBody } from "./body.js";
import { checkDocumented, findFlag } from "./check.js";
import { buildPathArguments, readPath, resolveFields, resolvePath } from "./derived.js";
import { buildFieldFlags, type FieldFlag, readFieldsAndFiles } from "./field-flags.js";
import type { Derivation } from "./noun.js";
import { dryRunFlag, printRequests, resolvePlannedPath } from "./requests.js";
import { listFields, listRequiredFields } from "./schema.js";
import { readSecretField, secretFieldFlag } from "./secret-input.js";

export function sendCommand(derivation: Derivation, special: SpecialFields = {}): Command {
  const { name, operation, resource, verb } = derivation;
  const { secret } = special;
  const required = operation.method === "POST" ? listNeededFields(operation) : [];
  const fields = buildFieldFlags(operation.body, resource, verb, secret === undefined ? [] : [secret]).map(
    (fieldFlag) => {
      const ofProfile = special.ofProfile?.[fieldFlag.field.name];
      const more = {
        ...(required.includes(fieldFlag.field.name) ? { required: true } : {}),
        ...(ofProfile === undefined ? {} : { ofProfile }),
      };
      return { ...fieldFlag, flag: { ...fieldFlag.flag, ...more } };
    },
  );
  return {
    name: name.slice(name.lastIndexOf(".") + 1),
    summary: operation.summary,
    ...(verb.description === undefined ? {} : { description: verb.description }),
    arguments: buildPathArguments(derivation).map(({ argument }) => argument),
    flags: [
      ...fields.map(({ flag }) => flag),
      ...(secret === undefined ? [] : [secretFieldFlag]),
      ...bodyFlags,
      dryRunFlag,
    ],
    examples: verb.examples,
    async run(session, input) {
      const dryRun = input.on("dry-run") === true;
      const connect = () => session.connect({ mutates: !dryRun });
      const path = readPath(derivation, input);
      const resolve = lazy(() => resolvePath(derivation, path, session, connect));
      const readExisting = existingReader(derivation, resolve, session, connect);
      const { body, named } = await readSent(
        { ...derivation, ...special },
        fields,
        input,
        session,
        readExisting,
      );
      checkDocumented(operation.body, body, fields, named);
      await warnOfUsualValue(special.interpreters, body, session.notes);
      const resolvedPath = await resolve();
      const resolvedBody = await resolveFields(body, fields, named, session, connect);
      if (dryRun) {
        await printRequests(session, [
          {
            method: operation.method,
            path: await resolvePlannedPath(session, name, resolvedPath),
            body: resolvedBody,
          },
        ]);
        return;
      }
      const { client } = await connect();
      const response = await client
        .call(name, { path: resolvedPath, body: resolvedBody }, { signal: session.signal })
        .catch((error: unknown) => {
          throw new FlaggedError(error, (at) => findFlag(fields, at));
        });
      await session.output.item(response.data, {
        columns: resource.columns,
        ...(resource.detail ? { detail: resource.detail } : {}),
        fields: listFields(operation.response).map((field) => field.name),
      });
    },
  };
}

/** Returns a function that reads the resource that a PATCH changes; undefined if the API can't show it. */
function existingReader(
  { name, operation, resource }: Derivation,
  resolve: () => Promise<Record<string, string>>,
  session: Session,
  connect: () => Promise<Connection>,
): (() => Promise<Fields>) | undefined {
  const get = `${resource.name}.get`;
  if (operation.method !== "PATCH" || name !== `${resource.name}.update` || !isOperationName(get))
    return undefined;
  return lazy(async () => {
    const path = await resolve();
    const { client } = await connect();
    const { data } = await client.call(get, { path }, { signal: session.signal });
    return isFields(data) ? data : {};
  });
}

function lazy<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

function listNeededFields({ body }: Operation): string[] {
  return listRequiredFields(body && documentedOnly(body));
}

function listReadOnlyFields({ body, response }: Operation): string[] {
  const sent = listFields(body)
    .filter(({ type }) => type !== "never")
    .map(({ name }) => name);
  return listFields(response)
    .map(({ name }) => name)
    .filter((name) => !sent.includes(name));
}

/** On a terminal, a `create` command prompts for missing fields. */
async function readSent(
  derivation: Derivation & SpecialFields,
  fields: readonly FieldFlag[],
  input: Input,
  session: Session,
  readExisting: (() => Promise<Fields>) | undefined,
): Promise<{ body: Fields; named: Set<string> }> {
  const { operation, secret, written } = derivation;
  const values = await readFieldsAndFiles(fields, input, session);
  for (const { field, flag } of fields) {
    const read = written?.[field.name];
    const value = values.get(field.name);
    if (read && Array.isArray(value))
      values.set(
        field.name,
        await Promise.all(
          value.map((element) => readNoted(read, String(element), `--${flag.name}`, session)),
        ),
      );
  }
  const text = secret === undefined ? undefined : await readSecretField(input, session);
  if (secret !== undefined && text !== undefined) values.set(secret, text);
  const body = await readBody(input, values, session, listReadOnlyFields(operation), readExisting);
  // If `--set` replaced a flag's value, don't look up the new value as a name.
  const named = new Set([...values.keys()].filter((field) => body[field] === values.get(field)));
  if (operation.method === "PATCH") {
    // If the user passes an empty object, send it: it is a valid PATCH (D-body).
    if (Object.keys(body).length > 0 || input.has("data")) return { body, named };
    throw usageError("no changes specified", {
      hint: `use at least one of ${formatFlagNames(fields)}, --data or --set`,
    });
  }
  const missing = listNeededFields(operation).filter((field) => body[field] === undefined);
  const whole = derivation.name.endsWith(".create") && Object.keys(body).length === 0 && !input.has("data");
  const canAsk = session.prompts.available && !input.has("data");
  if (missing.length === 0 && !(whole && canAsk)) return { body, named };
  const flags = fields.filter(({ field }) => missing.includes(field.name));
  const unflagged = missing.filter((field) => !flags.some((flag) => flag.field.name === field));
  if (!canAsk || unflagged.length > 0) {
    const names = [
      ...flags.map(({ flag }) => `--${flag.name}`),
      ...unflagged.map((field) => `--data (${field})`),
    ];
    throw usageError(`missing required ${inflect(names.length, "flag", "flags")}: ${names.join(", ")}`, {
      details: missing.map((field) => {
        const flag = flags.find((candidate) => candidate.field.name === field)?.flag.name;
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
  const nested = listFields(operation.body).flatMap(({ type, name }) => (type === "nested" ? [name] : []));
  const replies = await askFor({ fields, nested, body, whole, dryRun, typed }, derivation, session);
  for (const field of replies.keys()) named.add(field);
  return { body: { ...body, ...Object.fromEntries(replies) }, named };
}

function formatFlagNames(fields: readonly FieldFlag[]): string {
  return fields.map(({ flag }) => `--${flag.name}`).join(", ");
}

async function readNoted(read: ReadWritten, typed: string, flag: string, session: Session): Promise<string> {
  const { value, note } = await read(typed, flag, session);
  if (note !== undefined) session.notes.note(note);
  return value;
}
