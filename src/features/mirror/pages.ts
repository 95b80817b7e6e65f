import { ClientError } from "../../client/errors.js";
import { rowId } from "../../client/ids.js";
import { findNextPage } from "../../client/next-page.js";
import { mostEmptyPages } from "../../client/paging.js";
import type { ApiResponse, CallInput } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import { wire } from "../../contract/wire.js";
import { BulkError } from "../../write/errors.js";
import { recordOf } from "../../write/values.js";
import type { Raw } from "./mirror-emulator.js";

const pageSize = 200;
const mostRestarts = 5;

/**
 * Sends one read as soon as the rate limit permits.
 * @throws ClientError
 */
export type Read = (operation: OperationName, input: CallInput) => Promise<ApiResponse>;

/** The cursor is null on the last page. */
export interface ListPage {
  rows: Raw[];
  cursor: string | null;
}

export interface ListReading {
  read: Read;
  operation: OperationName;
  query: Readonly<Record<string, string>>;
}

/**
 * If the service rejects a cursor, starts the list again and yields rows twice; the caller must detect the
 * repeated rows.
 * @param from cursor at which an interrupted pass stopped; null for the beginning
 * @throws ClientError, BulkError if the list can't be read to its end
 */
export async function* pagesOf(reading: ListReading, from: string | null): AsyncGenerator<ListPage, void> {
  let cursor = from;
  let limit: number | undefined = pageSize;
  let restarts = 0;
  let seen = new Set<string>();
  let emptyPages = 0;
  for (;;) {
    let response: ApiResponse;
    try {
      response = await fetchPage(reading, cursor, limit);
    } catch (error) {
      if (!(error instanceof ClientError) || error.status !== 400) throw error;
      if (limit !== undefined) {
        // The documents don't define the maximum of `limit`, so the service may reject it. Retry without it.
        limit = undefined;
      } else if (cursor !== null && restarts < mostRestarts) {
        restarts += 1;
        cursor = null;
        limit = pageSize;
        seen = new Set();
      } else throw error;
      continue;
    }
    const page = parsed(reading, response);
    emptyPages = page.rows.length > 0 ? 0 : emptyPages + 1;
    const problem =
      page.cursor !== null && seen.has(page.cursor)
        ? "the service returned an earlier page's cursor"
        : emptyPages > mostEmptyPages && `${emptyPages} consecutive pages are empty`;
    if (problem) throw incompleteList(reading.operation, problem);
    if (page.cursor !== null) seen.add(page.cursor);
    yield page;
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}

export function incompleteList(operation: OperationName, problem: string): BulkError {
  return new BulkError("incomplete_list", `can't read the complete list with ${operation}: ${problem}`);
}

function fetchPage(
  { read, operation, query }: ListReading,
  cursor: string | null,
  limit: number | undefined,
): Promise<ApiResponse> {
  const isPaged = wire[operation].responseShape === "page";
  const page = isPaged ? { limit, cursor: cursor ?? undefined } : {};
  return read(operation, { query: { ...query, ...page } });
}

function parsed({ operation }: ListReading, response: ApiResponse): ListPage {
  const { data, body, headers } = response;
  if (!Array.isArray(data))
    throw new BulkError("incomplete_list", `the response from ${operation} is not a list`);
  if (data.some((row) => rowId(operation, row) === undefined))
    throw new BulkError("incomplete_list", `the list from ${operation} contains a record without an ID`);
  const rows = data.map(recordOf);
  const { path } = wire[operation];
  const next = findNextPage("public", { body, headers, rows: rows.length, path });
  if (next.type === "unknown")
    throw new BulkError("incomplete_list", `the list from ${operation} may have more rows: ${next.because}`);
  const cursor = next.type === "next" ? next.query["cursor"] : undefined;
  return { rows, cursor: typeof cursor === "string" ? cursor : null };
}
