import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Behavior, BucketName } from "./behavior.js";
import { createCalls } from "./calls.js";
import { createDistributor } from "./distributor.js";
import {
  createNotFound,
  type Delivery,
  type Fields,
  isFields,
  Refusal,
  type ServiceRequest,
  type ServiceResponse,
} from "./exchange.js";
import { createLegacy } from "./legacy.js";
import { createLimiter, type Limiter } from "./limiter.js";
import { createPartners } from "./partners.js";
import { createResources } from "./resources.js";
import { createServiceState, fieldsOf, type ServiceState, type Setting } from "./service-state.js";
import { createTrouble } from "./trouble.js";
import { jsonText, normalize } from "./values.js";

export interface Call {
  method: string;
  /** Segments of the path below the API's base path. */
  path: readonly string[];
  query: URLSearchParams;
  body: string;
  headers: ServiceRequest["headers"];
}

/** Handles a request. Returns undefined for an unknown route. */
export type Handler = (call: Call) => ServiceResponse | undefined;

export const keys = {
  public: "public-key-of-the-conforming-server-of-its-first-year",
  /** A second key of the organization, which replaces the first key. */
  rotated: "public-key-of-the-conforming-server-of-its-second-year",
  distributor: "distributor-key-of-the-conforming-server",
} as const;

interface Logged {
  method: string;
  path: string;
  body: string;
  at: number;
  status: number | undefined;
}

export interface Service {
  handle(request: ServiceRequest): Promise<Delivery>;
  readonly behavior: Behavior;
  readonly state: ServiceState;
  readonly limiter: Limiter;
  /** All requests so far, in order of arrival. */
  readonly log: readonly Logged[];
  onArrival(listener: () => void): void;
  /** Resolves when no late effect is pending. */
  settled(): Promise<void>;
}

const bases = [
  ["/api/distributor/v2", "v2"],
  ["/api/distributor/v1", "v1"],
  ["/api/v1", "public"],
] as const;

/** Creates a deployment of the service, written from the service's documents. */
export function createService(setting: Setting): Service {
  const { behavior, now, sleep } = setting;
  const state = createServiceState(setting);
  const limiter = createLimiter(setting);
  const trouble = createTrouble(setting);
  const resources = createResources(state, setting);
  const calls = createCalls(state, setting);
  const v2 = createDistributor(state, setting);
  const v1 = createPartners(state, setting);
  const legacy = createLegacy(state, setting);
  const log: Logged[] = [];
  const late = new Set<Promise<unknown>>();
  let responseCount = 0;
  let arrived = () => {};

  /** The headers contain the limiter's state, even if the handler refuses the request. */
  function dispatch(request: ServiceRequest): ServiceResponse {
    const url = new URL(request.target, "http://conforming.localhost");
    const [base, api] = bases.find(([prefix]) => url.pathname.startsWith(`${prefix}/`)) ?? ["", undefined];
    const path = url.pathname
      .slice(base.length + 1)
      .split("/")
      .map(decodeURIComponent);
    const call: Call = { ...request, path, query: url.searchParams };
    if (api === undefined) throw createNotFound("this path");
    const isLegacy = api === "public" && (path[0] === "health" || path[0] === "outbound");
    if (api === "v1" && path[0] === "health") return v1(call) ?? missing();
    assertKey(
      request,
      api === "public" ? [keys.public, keys.rotated] : [keys.distributor],
      api === "public" && !isLegacy,
    );
    const headers = limiter.count(isLegacy ? "legacy" : bucketOf(api, request.method, path));
    const handler = isLegacy
      ? legacy
      : api === "v2"
        ? v2
        : api === "v1"
          ? v1
          : (apiCall: Call) => calls(apiCall) ?? resources(apiCall);
    try {
      const given = handler(call) ?? missing();
      return { ...given, headers: { ...headers, ...given.headers } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code, message, details } = error;
      throw new Refusal(status, code, message, details, { ...headers, ...error.headers });
    }
  }

  function respond(request: ServiceRequest): ServiceResponse {
    try {
      return dispatch(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return {
        status: error.status,
        headers: error.headers,
        body: refusalBody(error, request.target, behavior),
      };
    }
  }

  function deliver(given: ServiceResponse, reaches: Delivery["reaches"]): Delivery {
    responseCount += 1;
    const { encoding, interim, chunk, closes, sendsDate, clockOff, dateOff, nodeOff, contentType } = behavior;
    const plainBody = given.bytes ?? Buffer.from(given.body === undefined ? "" : jsonText(given.body));
    const off = clockOff + dateOff + (responseCount % 2 === 0 ? nodeOff : 0);
    return {
      status: given.status,
      headers: {
        "content-type": contentType,
        ...(sendsDate ? { date: new Date(now() + off).toUTCString() } : {}),
        ...given.headers,
        ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      },
      body: encoded(plainBody, encoding),
      interim,
      chunk,
      closes,
      reaches,
    };
  }

  return {
    behavior,
    state,
    limiter,
    log,
    onArrival(listener) {
      arrived = listener;
    },
    async settled() {
      while (late.size > 0) await Promise.all(late);
    },
    async handle(request) {
      const mutates = request.method !== "GET";
      const path = request.target.split("?")[0] ?? "";
      const logged: Logged = {
        method: request.method,
        path,
        body: request.body,
        at: now(),
        status: undefined,
      };
      log.push(logged);
      arrived();
      const outage = trouble.outage();
      if (outage !== undefined) {
        logged.status = outage;
        if (outage === 429) return deliver(limiterDown(request.target), "whole");
        const text = outage === 502 ? { bytes: Buffer.from("<html>502 Bad Gateway</html>") } : {};
        const type: Record<string, string> = outage === 502 ? { "content-type": "text/html" } : {};
        return deliver({ status: outage, headers: type, ...text }, "whole");
      }
      const loss = trouble.loss(mutates);
      if (loss === "request lost") {
        if (behavior.crmRepeatsLost) repeatWrite(state, request);
        return deliver({ status: 500 }, "nothing");
      }
      if (loss === "late effect") {
        const effect = sleep(setting.lagMilliseconds).then(() => respond(request));
        late.add(effect);
        void effect.finally(() => late.delete(effect));
        return deliver({ status: 500 }, "nothing");
      }
      const given = respond(request);
      logged.status = given.status;
      const lost = loss === "response lost" ? "nothing" : loss === "response truncated" ? 3 : undefined;
      return deliver(given, lost ?? calls.cut(request, given));
    },
  };

  function missing(): never {
    throw createNotFound("this path");
  }
}

/**
 * Responds as if the limiter's store can't be reached. No header shows the limiter's state (public.errors.3,
 * dist.limits.3).
 */
function limiterDown(target: string): ServiceResponse {
  if (!target.startsWith("/api/distributor/"))
    return { status: 429, body: { error: { code: "rate_limit_exceeded", message: "try again" } } };
  return {
    status: 503,
    body: { status: "error", errorCode: "RATE_LIMIT_UNAVAILABLE", message: "try again" },
  };
}

function bucketOf(api: string, method: string, path: readonly string[]): BucketName {
  if (api !== "public") return "distributor";
  if (method === "GET") return "read";
  return path[0] === "calls" && path.length === 1 ? "outbound_trigger" : "write";
}

function assertKey({ headers }: ServiceRequest, valid: readonly string[], isPublic: boolean): void {
  if (valid.some((key) => headers["authorization"] === `Bearer ${key}`)) return;
  throw new Refusal(401, isPublic ? "unauthorized" : "INVALID_API_KEY", "the key is not valid");
}

/** The format depends on the API, and is undocumented for v2 and the legacy API. */
function refusalBody({ code, message, details }: Refusal, target: string, behavior: Behavior): unknown {
  const isLegacy = /^\/api\/v1\/(health|outbound)/.test(target);
  if (isLegacy) {
    const { legacyErrors } = behavior;
    return legacyErrors === "nested"
      ? { error: { code, message } }
      : { status: "error", [legacyErrors]: code, message };
  }
  if (!target.startsWith("/api/distributor/")) return { error: { code, message, details } };
  const nested = behavior.distributorErrors === "nested" && target.startsWith("/api/distributor/v2");
  const errorCode = distributorCodes[code] ?? code;
  return nested ? { error: { code: errorCode, message } } : { status: "error", errorCode, message };
}

const distributorCodes: Readonly<Record<string, string>> = {
  validation_failed: "VALIDATION_ERROR",
  not_found: "NOT_FOUND",
};

function encoded(body: Uint8Array, encoding: Behavior["encoding"]): Uint8Array {
  if (encoding === "gzip") return gzipSync(body);
  if (encoding === "br") return brotliCompressSync(body);
  return encoding === "deflate" ? deflateSync(body) : body;
}

/** Simulates a CRM that creates an equal contact after the response to a create was lost. */
function repeatWrite(state: ServiceState, { method, target, body }: ServiceRequest): void {
  if (method !== "POST" || !target.endsWith("/contacts")) return;
  const fields: unknown = JSON.parse(body);
  if (!isFields(fields)) return;
  const exists = state.rows("contacts").some((row) => isSame(fieldsOf(row), fields));
  if (!exists) state.insert("contacts", { ...fields, notes: "by the CRM" }, "crm");
}

function isSame(left: Fields, right: Fields): boolean {
  return ["group_id", "first_name", "last_name"].every(
    (name) => normalize(left[name]) === normalize(right[name]),
  );
}
