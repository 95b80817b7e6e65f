import { type ApiName, apis } from "../contract/apis.js";
import { stripQuery } from "./paths.js";
import type { RequestRecord, ResponseRecord } from "./records.js";

const descriptionPattern = /^(\/[\w/]+)\/(openapi\.(?:json|yaml)|docs(?:\/[\w.-]+)?)$/; // D-docs

const apiNamesByPath = new Map(
  Object.values(apis).map(({ name, descriptionPath }) => [descriptionPath, name]),
);

function findDescriptionPart(request: RequestRecord): { api: ApiName; part: string } | undefined {
  const [, descriptionPath = "", part = ""] = descriptionPattern.exec(stripQuery(request.target)) ?? [];
  const api = apiNamesByPath.get(descriptionPath);
  return api === undefined ? undefined : { api, part };
}

/** Returns whether a request is a GET of a description. For any other method, no route exists (D-method). */
export function isDescriptionRequest(request: RequestRecord): boolean {
  return request.method === "GET" && findDescriptionPart(request) !== undefined; // public.auth.1
}

/**
 * Creates the handler for each API's `/openapi.json`, `/openapi.yaml` and `/docs`. These requests need no key
 * (public.auth.1) and are not logged, and limits and faults don't apply to them (D-docs).
 * @returns a handler that returns undefined for an unknown path
 */
export function createDescriptionHandler(): (request: RequestRecord) => Promise<ResponseRecord | undefined> {
  const responses = new Map<string, Pick<ResponseRecord, "headers" | "body">>();
  return async (request) => {
    const path = stripQuery(request.target);
    const requested = findDescriptionPart(request);
    if (requested === undefined) return undefined;
    let served = responses.get(path);
    if (!served) {
      const [{ describe }, { operations }] = await Promise.all([
        import("../openapi/index.js"),
        import("../contract/contract.js"),
      ]);
      served = await describe(requested.api, requested.part, operations);
      if (!served) return undefined;
      responses.set(path, served);
    }
    // Copy the headers, because later code adds headers to each response.
    return { status: 200, headers: { ...served.headers }, body: served.body };
  };
}
