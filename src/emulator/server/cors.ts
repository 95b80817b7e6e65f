import { parseOrigin } from "../../base/origin.js";
import { controlPrefix, stripQuery } from "../paths.js";
import type { RequestRecord, ResponseRecord } from "../records.js";

const maximumAgeSeconds = 600;

/** Rules for web pages from other origins (`--cors`). */
export interface Cors {
  /** Returns whether the request's origin may send it; always false for the control interface. */
  isAllowed(request: RequestRecord): boolean;
  /**
   * Answers a preflight request for a known path; returns undefined for all other requests (D-method-head).
   */
  answerPreflight(request: RequestRecord): ResponseRecord | undefined;
  headersFor(request: RequestRecord): Record<string, string>;
}

/** @param origins allowed origins, in any form that `parseOrigin` accepts */
export function createCors(origins: readonly string[], isKnown: (path: string) => boolean): Cors {
  const allowed = new Set(origins.map((origin) => parseOrigin(origin) ?? origin));
  const isAllowed = ({ headers, target }: RequestRecord) =>
    headers["origin"] !== undefined &&
    allowed.has(headers["origin"].toLowerCase()) &&
    !target.startsWith(controlPrefix);
  const headersFor = ({ headers }: RequestRecord) => ({
    "Access-Control-Allow-Origin": headers["origin"] ?? "",
    "Access-Control-Expose-Headers": "*",
    Vary: "Origin",
  });
  return {
    isAllowed,
    headersFor,
    answerPreflight(request) {
      const { method, headers, target } = request;
      const requestedMethod = headers["access-control-request-method"];
      if (method !== "OPTIONS" || requestedMethod === undefined) return undefined;
      if (!isAllowed(request) || !isKnown(stripQuery(target))) return undefined;
      const requestedHeaders = headers["access-control-request-headers"];
      return {
        status: 204,
        headers: {
          ...headersFor(request),
          "Access-Control-Allow-Methods": requestedMethod,
          ...(requestedHeaders === undefined ? {} : { "Access-Control-Allow-Headers": requestedHeaders }),
          "Access-Control-Max-Age": String(maximumAgeSeconds),
        },
        body: undefined,
      };
    },
  };
}
