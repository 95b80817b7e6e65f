import { monotonicMilliseconds, stopwatch } from "../base/clock.js";
import { stringifyExactJson } from "../base/exact-json.js";
import { ConnectionError, type TransportRequest } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { Bucket } from "../contract/limits.js";
import type { ResponseShape } from "../contract/wire-operation.js";
import { originOf, requestUrl, safeAddress } from "./addresses.js";
import type { Attempt, LostAttempt, Sent, WithdrawnAttempt } from "./attempt.js";
import { ClientError } from "./errors.js";
import { RequestEvent, ResponseEvent } from "./events.js";
import { type Exchange, exchange } from "./exchange.js";
import { rowId } from "./ids.js";
import { createKeyTest } from "./key-test.js";
import { readLimitHeaders } from "./limit-headers.js";
import { memoryLedger } from "./limit-ledger.js";
import { createMask } from "./masking.js";
import { findNextPage } from "./next-page.js";
import type { RefusalWait } from "./observing.js";
import { createPacer, hashBucket, type Pacer, type Slot } from "./pacer.js";
import { readRows } from "./paging.js";
import { unwrap } from "./parsing.js";
import { findRefuser, type History, hasFailed, judge, toReceivedDate } from "./retry.js";
import { buildOperationRoute, buildRawRoute, findOperation, type Route } from "./routes.js";
import type { ApiResponse, CallInput, CallOptions, Client, ClientOptions, Target } from "./types.js";

/** All attempts of one call use the same prepared request. */
interface Prepared {
  route: Route;
  url: string;
  request: Omit<TransportRequest, "signal">;
  /** Null if requests to this route are not rate-limited. */
  pacer: Pacer | null;
}

export function createClient(options: ClientOptions): Client {
  const { targets, transport, clock, random } = options;
  const timeoutMilliseconds = options.timeoutMilliseconds ?? 10_000;
  const defaultMaxWait = options.maxWaitMilliseconds ?? 60_000;
  const mask = createMask(Object.values(targets).map((target) => target.key));
  const { onEvent } = options;
  const pacers = new Map<string, Pacer>();
  const pacerParts = {
    clock,
    ledger: options.ledger ?? memoryLedger(),
    onWait: (milliseconds: number) => onEvent?.({ type: "wait", milliseconds, reason: "pace" }),
  };

  const checked = new Map<ApiName, Target>();

  function targetOf(api: ApiName): Target {
    const known = checked.get(api);
    if (known) return known;
    const target = targets[api];
    if (!target) {
      const message = `neither a URL nor a key is configured for the ${api} API`;
      throw options.unavailable?.[api] ?? createConfigurationError("no_key", message);
    }
    const baseUrl = safeAddress(target.baseUrl);
    // Check the key here: the error for an invalid header would quote the key.
    if (!/^[\x21-\x7e]+$/.test(target.key)) {
      throw createConfigurationError(
        "invalid_key",
        `the key for the ${api} API is empty or contains white space`,
      );
    }
    const safe = { baseUrl, key: target.key };
    checked.set(api, safe);
    return safe;
  }

  function pacerOf(api: ApiName, bucket: Bucket | null): Pacer | null {
    if (bucket === null) return null;
    const name = `${api} ${bucket}`;
    let pacer = pacers.get(name);
    if (!pacer) {
      pacer = createPacer(hashBucket(targetOf(api), bucket), bucket, pacerParts);
      pacers.set(name, pacer);
    }
    return pacer;
  }

  let keyTest: ReturnType<typeof createKeyTest> | undefined;

  /**
   * Refuses a request whose URL, body or headers contain an API key: other users could read the key in the
   * stored data.
   */
  function assertNoKey(...texts: readonly string[]): void {
    if (options.keys === undefined) return;
    keyTest ??= createKeyTest([...Object.values(targets).map((target) => target.key), ...options.keys()]);
    if (texts.some(keyTest))
      throw createConfigurationError(
        "key_in_request",
        "the request was not sent because it contains one of your API keys",
      );
  }

  function prepare(route: Route, input: CallInput, extra: Readonly<Record<string, string>> = {}): Prepared {
    const target = targetOf(route.api);
    const body = input.body === undefined ? undefined : stringifyExactJson(input.body);
    const url = requestUrl(target.baseUrl, route.path, input.query);
    assertNoKey(url, body ?? "", ...Object.values(extra));
    // Request an unencoded response, so that voxctl can resume its download after any byte.
    const headers: Record<string, string> = {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "voxctl",
    };
    if (body !== undefined) headers["content-type"] = "application/json";
    for (const [name, value] of Object.entries(extra)) headers[name.toLowerCase()] = value;
    headers["authorization"] = `Bearer ${target.key}`;
    const pacer = pacerOf(route.api, route.bucket);
    return {
      route,
      url,
      request: { method: route.method, headers, body, waitsForLimit: pacer !== null },
      pacer,
    };
  }

  async function attemptOnce(
    prepared: Prepared,
    number: number,
    { signal, mayStart }: Pick<CallOptions, "signal" | "mayStart">,
  ): Promise<Attempt | WithdrawnAttempt> {
    const { route, url, request } = prepared;
    onEvent?.(new RequestEvent(prepared, number, mask));
    const begun = monotonicMilliseconds();
    const attempt = await exchange(
      { transport, timeoutMilliseconds, mask },
      { url, request, signal, mayStart, expects: toExpectation(route.responseShape) },
    );
    if (attempt.type === "withdrawn") {
      onEvent?.({ type: "withdrawn" });
      return attempt;
    }
    if (attempt.type === "lost") {
      onEvent?.({ type: "failure", message: mask(attempt.error.message), attempt: number });
      return withoutKeys(attempt);
    }
    onEvent?.(new ResponseEvent(attempt, monotonicMilliseconds() - begun, mask));
    return attempt;
  }

  function conclude(slot: Slot | undefined, attempt: Attempt, sent: Sent): RefusalWait | undefined {
    if (attempt.type === "lost") return void slot?.failed(attempt.error.maybeSent);
    const isRefused = findRefuser(attempt, sent) === "bucket";
    const limits = readLimitHeaders(attempt.headers);
    if (isRefused) return slot?.refused({ limits, declaresEnd: true }, random.next());
    slot?.succeeded({ limits, declaresEnd: attempt.status < 400 });
  }

  function withoutKeys(attempt: LostAttempt): LostAttempt {
    const message = mask(attempt.error.message);
    if (message === attempt.error.message) return attempt;
    const { maybeSent, code, hint, permanent, via } = attempt.error;
    return { ...attempt, error: new ConnectionError(message, maybeSent, code, { hint, permanent, via }) };
  }

  /**
   * @param prepare creates the request; called inside `send`, so that an error rejects the returned promise
   */
  async function send(prepare: () => Prepared, options: CallOptions): Promise<ApiResponse> {
    const { signal, turn, maxWaitMilliseconds = defaultMaxWait, maxCooldownMilliseconds, attempts } = options;
    const prepared = prepare();
    const { route, pacer } = prepared;
    const { api, mutation, triggersCall } = route;
    const sent: Sent = {
      api,
      mutation,
      triggersCall,
      origin: originOf(prepared.url),
      maxWaitMilliseconds,
      maxCooldownMilliseconds,
      attempts,
    };
    const history: History = { failures: 0, blindRefusals: 0, waitedMilliseconds: 0 };
    let slot = turn && pacer?.redeem(turn);
    const claim = slot?.claim ?? "interactive";
    for (let number = 1; ; ) {
      if (pacer) {
        // If a wait ended late, no time is left. Pass at least 1 ms, because the pacer adds its tolerance only to
        // a maximum above 0.
        const granted = number === 1 ? 0 : 1;
        const remainingWait = Math.max(granted, maxWaitMilliseconds - history.waitedMilliseconds);
        const entered = await pacer.enter(
          { signal, claim, mutation, maxWaitMilliseconds: remainingWait },
          slot,
        );
        slot = entered.slot;
        history.waitedMilliseconds += entered.waitedMilliseconds;
      }
      let attempt: Attempt | WithdrawnAttempt;
      try {
        attempt = await attemptOnce(prepared, number, options);
      } catch (error) {
        slot?.failed(false);
        throw error;
      }
      if (attempt.type === "withdrawn") {
        slot?.withdrawn({ limits: readLimitHeaders(attempt.headers), declaresEnd: true });
        slot = undefined;
        continue;
      }
      const refusal = conclude(slot, attempt, sent);
      slot = undefined;
      if (attempt.type === "lost" && signal?.aborted) throw toInterruption(attempt, route, signal);
      if (hasFailed(attempt, sent)) history.failures += 1;
      const now = stopwatch(clock);
      const verdict = judge(attempt, sent, history, { now, draw: () => random.next(), refusal });
      if (verdict.type === "fail") throw verdict.error;
      if (verdict.type === "done") return toApiResponse(attempt, route);
      if (attempt.type === "answered" && verdict.reason === "limit") {
        history.lastRefusal = toReceivedDate(attempt.headers, now);
        if (verdict.blind) history.blindRefusals += 1;
      }
      if (verdict.counted) history.waitedMilliseconds += verdict.milliseconds;
      const { milliseconds, reason, cause } = verdict;
      onEvent?.({ type: "wait", milliseconds, reason, cause });
      await clock.sleep(milliseconds, signal);
      number += 1;
    }
  }

  function toApiResponse(attempt: Attempt, route: Route): ApiResponse {
    if (attempt.type === "lost") throw new TypeError("a lost attempt has no response");
    const { status, headers, body } = attempt;
    const data = unwrap(body, route.responseShape);
    if (route.mutation) onEvent?.({ type: "done", data });
    return { status, headers, body, data };
  }

  const call: Client["call"] = (operation, input = {}, callOptions = {}) =>
    send(() => prepare(buildOperationRoute(operation, input, options.paths), input), callOptions);

  const items: Client["items"] = async function* (operation, input = {}, itemsOptions = {}) {
    const { api } = findOperation(operation);
    const { path } = buildOperationRoute(operation, input, options.paths);
    const pages = {
      api,
      path,
      fetch: (pageInput: CallInput, callOptions: CallOptions) =>
        (itemsOptions.call ?? call)(operation, pageInput, callOptions),
      next: ({ body, headers }: ApiResponse, count: number) =>
        findNextPage(api, { body, headers, rows: count, path }),
      idOf: (row: unknown) => rowId(operation, row),
    };
    yield* readRows(pages, input, itemsOptions);
  };

  function bucketPacer(operation: string): Pacer | null {
    const { api, bucket } = findOperation(operation);
    return pacerOf(api, bucket);
  }

  return {
    call,
    request: (raw, callOptions = {}) =>
      send(() => prepare(buildRawRoute(raw), raw, raw.headers), callOptions),
    items,
    declaredLimit: (operation) => bucketPacer(operation)?.declaredLimit(),
    remaining: (operation) => bucketPacer(operation)?.remaining() ?? Number.POSITIVE_INFINITY,
    paced: (operation, run) =>
      bucketPacer(operation)?.paced(run, { maxWaitMilliseconds: defaultMaxWait }) ?? unlimited,
  };
}

const freeTurn = { release: () => undefined };
const unlimited = {
  intervalMilliseconds: 0,
  turn: async () => freeTurn,
  burst: (most: number) => Array.from({ length: most }, () => freeTurn),
};

function toExpectation(responseShape: ResponseShape | undefined): Exchange["expects"] {
  if (responseShape === undefined) return "any";
  if (responseShape === "item") return "item";
  if (responseShape === "binary") return "bytes";
  return responseShape === "empty" ? "nothing" : "json";
}

/** Returns the signal's reason, unless a mutation might have arrived: then its outcome is unknown. */
function toInterruption(attempt: LostAttempt, route: Route, signal: AbortSignal): unknown {
  if (!route.mutation || !attempt.error.maybeSent) return signal.reason;
  return new ClientError({
    type: "network",
    code: "interrupted",
    message: "the request was aborted before its response arrived",
    retryable: false,
    outcome: "unknown",
    hint: "check whether the change was made before you retry",
    cause: signal.reason,
  });
}

function createConfigurationError(code: string, message: string): ClientError {
  return new ClientError({ type: "configuration", code, message, retryable: false, outcome: "none" });
}
