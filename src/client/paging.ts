import { ClientError } from "./errors.js";
import type { Answer, CallInput, CallOptions, ItemsOptions } from "./types.js";

interface Pages {
  /** Fetches one page. */
  fetch(input: CallInput, options: CallOptions): Promise<Answer>;
  /** The cursor of the page after, null after the last, undefined where a page contradicts itself. */
  next(body: unknown): string | null | undefined;
}

/** Up to here a server's usual page is asked for no more rows than are wanted; above, it decides itself. */
const smallLimit = 50;

/**
 * The rows of a list, one page held at a time (public.general.9).
 * @throws ClientError; also when a page is no list or names no next one
 */
export async function* rows(
  pages: Pages,
  input: CallInput,
  { limit = Number.POSITIVE_INFINITY, pageSize, onMore, ...options }: CallOptions & ItemsOptions,
): AsyncGenerator<unknown, void> {
  let size = limit <= smallLimit || pageSize !== undefined ? Math.min(pageSize ?? limit, limit) : undefined;
  let cursor: string | undefined;
  let left = limit;
  if (left <= 0) return;
  for (;;) {
    const query = { ...input.query, ...(size && { limit: size }), ...(cursor !== undefined && { cursor }) };
    let answer: Answer;
    try {
      answer = await pages.fetch({ ...input, query }, options);
    } catch (error) {
      if (size === undefined || !refusesLimit(error)) throw error;
      // Bounds of `limit` are documented nowhere (public.limits.6).
      size = undefined;
      continue;
    }
    if (!Array.isArray(answer.data)) throw invalid(answer, "The answer is no list.");
    const next = pages.next(answer.body);
    for (const [index, row] of answer.data.entries()) {
      yield row;
      left -= 1;
      if (left > 0) continue;
      if (index < answer.data.length - 1 || next !== null) onMore?.();
      return;
    }
    if (next === null) return;
    // A list that ends without saying so must not pass for a whole one.
    if (next === undefined || next === cursor)
      throw invalid(answer, "The list has more rows but no next page.");
    cursor = next;
  }
}

function refusesLimit(error: unknown): boolean {
  if (!(error instanceof ClientError) || error.status !== 400) return false;
  if (error.details.length > 0) return error.details.some((detail) => detail.path.includes("limit"));
  return /\blimit\b/i.test(error.message);
}

function invalid(answer: Answer, message: string): ClientError {
  return new ClientError({
    kind: "api",
    code: "invalid_response",
    message,
    status: answer.status,
    retryable: false,
    outcome: "none",
  });
}
