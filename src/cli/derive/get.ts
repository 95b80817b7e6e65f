import { FlaggedError } from "../errors/exit-codes.js";
import { isFields } from "../output/fields.js";
import type { Command } from "../session/command.js";
import { checkDocumented, flagAt } from "./check.js";
import { type Derivation, pathArguments, readPath, resolveFields, resolvePath } from "./derived.js";
import { fieldFlags, readFieldFlags } from "./field-flags.js";
import { fieldsOf } from "./schema.js";

/** `voxctl contacts get ID`, and every other read that answers one thing. */
export function getCommand(derivation: Derivation): Command {
  const { name, operation, resource, verb } = derivation;
  const filters = fieldFlags(operation.query, resource, verb);
  return {
    name: name.slice(name.lastIndexOf(".") + 1),
    summary: operation.summary,
    ...(verb.description === undefined ? {} : { description: verb.description }),
    arguments: pathArguments(derivation).map(({ argument }) => argument),
    flags: filters.map(({ flag }) => flag),
    examples: verb.examples,
    async run(session, input) {
      const path = readPath(derivation, input);
      const given = readFieldFlags(filters, input);
      const named = new Set(given.keys());
      checkDocumented(operation.query, Object.fromEntries(given), filters, named);
      const connect = () => session.connect();
      const { client } = await connect();
      const query = await resolveFields(Object.fromEntries(given), filters, named, session, connect);
      try {
        const call = {
          path: await resolvePath(derivation, path, session, connect),
          query: Object.fromEntries(Object.entries(query).map(([field, value]) => [field, String(value)])),
        };
        const { data } = await client.call(name, call, { signal: session.signal });
        const isLines = session.output.format === "csv" && !session.flags.fields && isFields(data);
        const lines = isLines ? verb.lines?.(data) : undefined;
        if (lines) {
          await session.output.list(lines, { columns: [] });
          return;
        }
        await session.output.item(data, {
          columns: verb.columns ?? resource.columns,
          ...(resource.detail ? { detail: resource.detail } : {}),
          fields: fieldsOf(operation.response).map((field) => field.name),
        });
      } catch (error) {
        throw new FlaggedError(error, (at) => flagAt(filters, at));
      }
    },
  };
}
