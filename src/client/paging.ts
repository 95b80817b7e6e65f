import type { ApiName } from "../contract/apis.js";
import { ClientError } from "./errors.js";
import type { NextPage } from "./next-page.js";
import type { ApiResponse, CallInput, CallOptions, ItemsOptions } from "./types.js";

interface Pages {
  api: ApiName;
  /** The list's path, for messages. */
  path: string;
  /** Fetches one page. */
  fetch(input: CallInput, options: CallOptions): Promise<ApiResponse>;
  /** @param rows those of the list so far, this page's included */
  next(response: ApiResponse, rows: number): NextPage;
  /** The key that tells a row from all others; undefined where there is none. */
  idOf(row: unknown): string | undefined;
}

/** Up to here a server's usual page is asked for no more rows than are wanted; above, it decides itself. */
const smallLimit = 50;
const noListCode = "invalid_response";
/** Pages without a row, one after the other, before a list is taken for one that has no end. */
const mostEmptyPages = 1_000;
/** In a list that others write into all the time, each reading finds something new. */
const mostReadings = 5;

/**
 * The rows of a list, one page held at a time (public.general.9). T7: pages may be positions, which a row that is
 * inserted meanwhile shifts, so a row that came before is left out. One that is deleted hides another: with `complete`
 * the list is read until a reading finds nothing new.
 * @throws ClientError; also when a page is no list, and, where all rows are asked for, when they can't be had
 */
export async function* readRows(
  pages: Pages,
  input: CallInput,
  { complete = false, ...options }: CallOptions & ItemsOptions,
): AsyncGenerator<unknown, void> {
  const ids = new Set<string>();
  for (let readings = 1; ; readings += 1) {
    const before = ids.size;
    const { mayHide } = yield* readPages(pages, input, options, ids);
    const isComplete = readings > 1 && ids.size === before;
    if (!complete || !mayHide || isComplete || readings === mostReadings) return;
  }
}

/**
 * @param ids of rows that came before; those that come now are added
 * @returns whether pages may have hidden a row: there were several, and none is an emulator's, which are no positions
 */
async function* readPages(
  pages: Pages,
  input: CallInput,
  {
    limit = Number.POSITIVE_INFINITY,
    pageSize,
    maximumPages,
    onMore,
    ...options
  }: CallOptions & Omit<ItemsOptions, "complete">,
  ids: Set<string>,
): AsyncGenerator<unknown, { mayHide: boolean }> {
  const whole = { mayHide: false };
  let size = limit <= smallLimit || pageSize !== undefined ? Math.min(pageSize ?? limit, limit) : undefined;
  let position: Readonly<Record<string, string>> = {};
  let left = limit;
  let emptyPages = 0;
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
      // T17: bounds of `limit` are documented nowhere (public.limits.6), nor how they are refused.
      if (size === undefined || !(error instanceof ClientError) || error.status !== 400) throw error;
      size = undefined;
      continue;
    }
    if (!Array.isArray(response.data))
      throw createInvalidError(response, noListCode, `The answer of ${pages.path} is no list.`);
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
      return { mayHide: hasIds && pagesRead > 0 && response.headers["x-emulator-world"] === undefined };
    if (next.type === "unknown") {
      // T8: a list that goes on in a way that is not understood must not pass for a whole one.
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
      throw createIncompleteError(response, pages, had, "its pages lead back to one that was read");
    emptyPages = response.data.length > 0 ? 0 : emptyPages + 1;
    if (emptyPages > mostEmptyPages)
      throw createIncompleteError(response, pages, had, `${emptyPages} pages after each other are empty`);
  }
}

/** Is it the error of an answer that holds no rows at all? */
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
  const read = rows === 1 ? "1 row" : `${rows} rows`;
  return createInvalidError(
    response,
    "incomplete_list",
    `The list ${path} may have more than the ${read} that were read: ${because}.`,
    `voxctl api GET ${path}${api === "public" ? "" : ` --api ${api}`} shows how the service tells of more`,
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
