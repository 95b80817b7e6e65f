import { isFields } from "../../base/fields.js";
import { idText } from "../../client/ids.js";
import { isNoList } from "../../client/paging.js";
import type { Client } from "../../client/types.js";
import type { Operation } from "../../contract/operation.js";
import { rememberRows } from "../completion/remembered/remember-rows.js";
import { EndedByHand, usageError } from "../errors/errors.js";
import { FlaggedError } from "../errors/exit-codes.js";
import type { Column, More, View } from "../output/output.js";
import type { Command } from "../session/command.js";
import { parseCount } from "../session/globals.js";
import type { Flag, Input } from "../session/input.js";
import { readKnown } from "../session/references/known-names.js";
import type { Referable } from "../session/references/references.js";
import type { Session } from "../session/session.js";
import { checkDocumented, findFlag } from "./check.js";
import { buildPathArguments, readPath, resolveFields, resolvePath } from "./derived.js";
import { buildFieldFlags, type FieldFlag, readFieldFlags } from "./field-flags.js";
import type { Derivation, Noun } from "./noun.js";
import { createReading, matchingRows, readRowFilters, reportReading } from "./row-filters.js";
import { listFields } from "./schema.js";
import { assertWatchable, watchFlag, watchRows } from "./watch.js";

const defaultLimit = 50;
/** If the service rejects this page size, the client repeats the request without it. */
const largestPage = 200;

const listFlags: readonly Flag[] = [
  {
    name: "limit",
    value: "n",
    description: "Maximum number of rows",
    default: String(defaultLimit),
  },
  { name: "all", description: "Show all rows" },
];

/**
 * Converts the values of a query's flags to the service's format: for example, `7d` to a time.
 * @throws usage error (2)
 */
export type ReadQuery = (
  given: ReadonlyMap<string, unknown>,
  filters: readonly FieldFlag[],
  session: Session,
) => Promise<ReadonlyMap<string, unknown>>;

export function listCommand(derivation: Derivation, readQuery?: ReadQuery): Command {
  const { name, operation, resource, verb } = derivation;
  const paged = operation.responseShape === "page";
  const filters = buildFieldFlags(operation.query, resource, verb, paged ? ["cursor", "limit"] : []);
  const rowFilters = verb.rowFilters ?? [];
  return {
    name: name.slice(name.lastIndexOf(".") + 1),
    aliases: name.endsWith(".list") ? ["ls"] : [],
    summary: operation.summary,
    ...(verb.description === undefined ? {} : { description: verb.description }),
    arguments: buildPathArguments(derivation).map(({ argument }) => argument),
    flags: [
      ...filters.map(({ flag }) => flag),
      ...rowFilters.map(({ flag }) => flag),
      ...(paged ? listFlags : []),
      ...(verb.isFinal ? [watchFlag] : []),
    ],
    examples: verb.examples,
    async run(session, input) {
      const limit = paged ? readLimit(input) : undefined;
      const watch = verb.isFinal !== undefined && input.on("watch") === true;
      if (watch) assertWatchable(session);
      const path = readPath(derivation, input);
      const judge = await readRowFilters(rowFilters, input, session);
      const typed = readFieldFlags(filters, input);
      const given = readQuery ? await readQuery(typed, filters, session) : typed;
      const named = new Set(given.keys());
      checkDocumented(operation.query, Object.fromEntries(given), filters, named);
      const { client } = await session.connect({ quiet: watch });
      const query = await resolveFields(Object.fromEntries(given), filters, named, session, () =>
        session.connect(),
      );
      const call = {
        path: await resolvePath(derivation, path, session, () => session.connect()),
        query: scalars(query),
      };
      const isUnfiltered =
        !judge && Object.keys(call.path).length === 0 && Object.keys(call.query).length === 0;
      let more: More = "none";
      const references = shownReferences(derivation, session);
      const reading = createReading(rowFilters, input);
      const items = (limit: number | undefined) =>
        client.items(name, call, {
          signal: session.signal,
          ...(limit === undefined ? {} : { limit }),
          ...(paged ? { pageSize: Math.min(limit ?? largestPage, largestPage) } : {}),
          onMore: (isCertain) => {
            more = isCertain ? "certain" : "possible";
          },
        });
      const read = (limit: number | undefined) => {
        if (!judge) return withKnownNames(references, session, client, items(limit));
        // The filter may have to read all rows. With --limit, pass a huge limit instead of none: without a
        // limit, an unknown paging format causes an error.
        const all = items(limit === undefined ? undefined : Number.MAX_SAFE_INTEGER);
        const matching = matchingRows(all, { judge, filters: rowFilters }, limit, reading);
        return withKnownNames(references, session, client, matching);
      };
      try {
        const view = listView(derivation, session);
        if (watch && verb.isFinal) {
          await watchRows(session, {
            plural: resource.plural,
            noun: resource.noun,
            isFinal: verb.isFinal,
            view,
            read: async (height) => {
              more = "none";
              const given = input.has("limit") ? (limit ?? height) : height;
              return { rows: await collected(read(Math.min(given, height))), more: more !== "none" };
            },
          });
          return;
        }
        const rows = name.endsWith(".list")
          ? rememberRows(read(limit), name, resource, session, () => isUnfiltered && more === "none")
          : read(limit);
        await session.output.list(rows, { ...view, more: () => more });
        if (judge) reportReading(reading, resource.plural, session.notes);
      } catch (error) {
        if (error instanceof EndedByHand) throw error;
        if (isNoList(error) && !name.endsWith(".list")) {
          // The response has an undocumented format: print it unchanged.
          const { data } = await client.call(name, call, { signal: session.signal });
          await session.output.item(data);
          return;
        }
        throw new FlaggedError(error, (at) => findFlag(filters, at));
      }
    },
  };
}

async function collected(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function readLimit(input: Input): number | undefined {
  const text = input.text("limit");
  if (!input.on("all")) return text === undefined ? defaultLimit : parseCount(text, "--limit");
  if (text !== undefined) throw usageError("--limit and --all can't be combined");
  return undefined;
}

function scalars(query: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  const result: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      result[name] = value;
  }
  return result;
}

function listView({ operation, resource }: Derivation, session: Session): View {
  return {
    columns: resource.columns.map((column) => withNames(column, resource.references, session)),
    fields: listFields(operation.response).map(({ name }) => name),
    empty: `no ${resource.plural}`,
    ...nounsOf(operation, resource),
  };
}

/** The rows may be of another type: the rows of `partners usage` are not partners. */
function nounsOf({ response }: Operation, { noun, plural, operations }: Noun): Partial<View> {
  const own = Object.entries(operations).some(
    ([name, operation]) => name.endsWith(".list") && operation.response === response,
  );
  return own ? { noun, plural } : {};
}

function shownReferences({ resource }: Derivation, { output, flags }: Session): [string, Referable][] {
  if (output.format !== "table" || flags.fields) return [];
  const shown = resource.columns.map(({ value }) => value);
  return Object.entries(resource.references ?? {}).filter(([field]) => shown.includes(field));
}

/** Loads the names only if a row contains a reference. */
async function* withKnownNames(
  references: readonly [string, Referable][],
  session: Session,
  client: Client,
  rows: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void> {
  const open = new Map(references);
  for await (const row of rows) {
    for (const [field, referable] of open) {
      const id = idText(isFields(row) ? row[field] : undefined);
      if (id === undefined) continue;
      open.delete(field);
      if (!session.names.has(id)) await readKnown(session, client, referable);
    }
    yield row;
  }
}

function withNames(
  column: Column,
  references: Readonly<Record<string, Referable>> | undefined,
  session: Session,
): Column {
  const field = column.value;
  if (typeof field !== "string" || !references || !Object.hasOwn(references, field)) return column;
  const named = (id: unknown) => session.names.get(idText(id) ?? "") ?? id;
  return {
    ...column,
    value: (row) => {
      const value = isFields(row) ? row[field] : undefined;
      return Array.isArray(value) ? value.map(named) : named(value);
    },
  };
}
