import { type Fields, isFields } from "../../base/fields.js";
import type { Client } from "../../client/types.js";
import { FlaggedError } from "../errors/exit-codes.js";
import type { Command } from "../session/command.js";
import type { Session } from "../session/session.js";
import { checkDocumented, findFlag } from "./check.js";
import { buildPathArguments, readPath, resolveFields, resolvePath } from "./derived.js";
import { buildFieldFlags, readFieldFlags } from "./field-flags.js";
import type { Derivation } from "./noun.js";
import { listFields } from "./schema.js";

/** Converts a resource to rows for `-o csv`. Returns undefined if the resource's format is unknown. */
export type RowsOf = (
  item: Fields,
  session: Session,
  client: Client,
) => Iterable<unknown> | AsyncIterable<unknown> | undefined;

export function getCommand(derivation: Derivation, rowsOf?: RowsOf): Command {
  const { name, operation, resource, verb } = derivation;
  const filters = buildFieldFlags(operation.query, resource, verb);
  return {
    name: name.slice(name.lastIndexOf(".") + 1),
    summary: operation.summary,
    ...(verb.description === undefined ? {} : { description: verb.description }),
    arguments: buildPathArguments(derivation).map(({ argument }) => argument),
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
        const inRows = session.output.format === "csv" && !session.flags.fields && isFields(data);
        const rows = inRows ? rowsOf?.(data, session, client) : undefined;
        if (rows) {
          await session.output.list(rows, { columns: [] });
          return;
        }
        await session.output.item(data, {
          columns: resource.columns,
          ...(resource.detail ? { detail: resource.detail } : {}),
          fields: listFields(operation.response).map((field) => field.name),
        });
      } catch (error) {
        throw new FlaggedError(error, (at) => findFlag(filters, at));
      }
    },
  };
}
