import { formatCount } from "../base/text.js";
import type { ApiName } from "../contract/apis.js";
import { ClientError } from "./errors.js";
import type { NextPage } from "./next-page.js";
import type { ApiResponse, CallInput, CallOptions, ItemsOptions } from "./types.js";

interface Pages {
  api: ApiName;
  path: string;
  fetch(input: CallInput, options: CallOptions): Promise<ApiResponse>;
  next(response: ApiResponse, rows: number): NextPage;
  idOf(row: unknown): string | undefined;
}

/**
 * Highest number of requested rows that is sent as `limit`. For more rows, the server chooses the page size.
 */
const smallLimit = 50;
const noListCode = "invalid_response";
/** Maximum number of consecutive pages without new rows. After more of them, the list is treated as endless. */
export const mostEmptyPages = 1_000;
/** Maximum number of passes over a list that other users keep changing. */
const mostReadings = 5;

/**
 * Yields a list's rows, one page at a time (public.general.9). Skips duplicate rows. If another user deletes
 * a row while the list is read, the pages can miss a row. With `complete`, the list is therefore read again
 * until no new row appears.
 * @throws ClientError for a failed request or a page that is not a list, or if required rows can't be read
 */
export async function* readRows(
  pages: Pages,
  input: CallInput,
  { complete = false, ...options }: CallOptions & ItemsOptions,
): AsyncGenerator<unknown, void> {
  const ids = new Set<string>();
  let pagesRead = 0;
  for (let readings = 1; ; readings += 1) {
    const before = ids.size;
    // When a list is read again, most of its pages have no new rows, so also allow the number of pages read before.
    const idlePages = mostEmptyPages + pagesRead;
    const reading = yield* readPages(pages, input, { ...options, idlePages }, ids);
    const { mayHide } = reading;
    pagesRead += reading.pagesRead;
    const isComplete = readings > 1 && ids.size === before;
    if (!complete || !mayHide || isComplete || readings === mostReadings) return;
  }
}

/**
 * Reads all pages once.
 * @param ids IDs of the rows so far; IDs of new rows are added
 * @param options.idlePages maximum number of consecutive pages without new rows
 * @returns `mayHide`: whether a row might be missing, because other users may change the list between two
 * pages
 */
async function* readPages(
  pages: Pages,
  input: CallInput,
  {
    limit = Number.POSITIVE_INFINITY,
    pageSize,
    maximumPages,
    onMore,
    idlePages,
    ...options
  }: CallOptions & Omit<ItemsOptions, "complete"> & { idlePages: number },
  ids: Set<string>,
): AsyncGenerator<unknown, { mayHide: boolean; pagesRead: number }> {
  const whole = { mayHide: false, pagesRead: 0 };
  let size = limit <= smallLimit || pageSize !== undefined ? Math.min(pageSize ?? limit, limit) : undefined;
  let position: Extract<NextPage, { type: "next" }>["query"] = {};
  let left = limit;
  let idle = 0;
  let pagesRead = 0;
  const positions = new Set<string>();
  let had = 0;
  let hasIds = true;
  if (left <= 0) return whole;
  for (;;) {
    const query = { ...input.query, ...(size && { limit: size }), ...position };
    let response: ApiResponse;
    try {
      response = await pages.fetch({ ...input, query }, options);
    } catch (error) {
      // `limit` might be too large: the documents specify neither its maximum nor the error
      // (public.limits.6).
      if (size === undefined || !(error instanceof ClientError) || error.status !== 400) throw error;
      size = undefined;
      continue;
    }
    if (!Array.isArray(response.data))
      throw createInvalidError(response, noListCode, `the response from ${pages.path} is not a list`);
    hasIds &&= response.data.every((row) => pages.idOf(row) !== undefined);
    const fresh = response.data.filter((row) => isNew(pages.idOf(row), ids));
    had += fresh.length;
    const next = pages.next(response, had);
    for (const [index, row] of fresh.entries()) {
      yield row;
      left -= 1;
      if (left > 0) continue;
      if (index < fresh.length - 1) onMore?.(true);
      else if (next.type !== "last") onMore?.(next.type === "next");
      return whole;
    }
    if (next.type === "last")
      return {
        mayHide: hasIds && pagesRead > 0 && response.headers["x-emulator-world"] === undefined,
        pagesRead,
      };
    if (next.type === "unknown") {
      // The caller needs all rows, so report that rows might be missing.
      if (!Number.isFinite(limit)) throw createIncompleteError(response, pages, had, next.because);
      onMore?.(false);
      return whole;
    }
    pagesRead += 1;
    if (pagesRead === maximumPages) {
      onMore?.(true);
      return whole;
    }
    position = next.query;
    if (!isNew(JSON.stringify(Object.entries(position).sort()), positions))
      throw createIncompleteError(response, pages, had, "the pages form a loop");
    idle = fresh.length > 0 ? 0 : idle + 1;
    if (idle > idlePages)
      throw createIncompleteError(response, pages, had, `${idle} consecutive pages have no new rows`);
  }
}

export function isNoList(error: unknown): boolean {
  return error instanceof ClientError && error.type === "api" && error.code === noListCode;
}

function isNew(key: string | undefined, seen: Set<string>): boolean {
  if (key === undefined) return true;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function createIncompleteError(
  response: ApiResponse,
  { api, path }: Pages,
  rows: number,
  because: string,
): ClientError {
  const read = formatCount(rows, "row");
  return createInvalidError(
    response,
    "incomplete_list",
    `the list ${path} may be incomplete (${read} read): ${because}`,
    `to check the list's paging fields, run \`voxctl api GET ${path}${api === "public" ? "" : ` --api ${api}`}\``,
  );
}

function createInvalidError(
  response: ApiResponse,
  code: string,
  message: string,
  hint?: string,
): ClientError {
  return new ClientError({
    type: "api",
    code,
    message,
    status: response.status,
    retryable: false,
    outcome: "none",
    hint,
  });
}
