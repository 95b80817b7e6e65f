import { type SurfaceName, surfaces } from "../contract/surfaces.js";
import { pathOf } from "./paths.js";
import type { RequestRecord, ResponseRecord } from "./records.js";

const described = /^(\/[\w/]+)\/(openapi\.(?:json|yaml)|docs(?:\/[\w.-]+)?)$/; // D-docs

/** Interfaces by where their documents lie. */
const places = new Map(Object.values(surfaces).map(({ name, descriptionPath }) => [descriptionPath, name]));

/** The interface and the part of its description that a request asks for. */
function partOf(request: RequestRecord): { surface: SurfaceName; part: string } | undefined {
  const [, place = "", part = ""] = described.exec(pathOf(request.target)) ?? [];
  const surface = places.get(place);
  return surface === undefined ? undefined : { surface, part };
}

/** D-method: with another method it is an unmatched route. */
export function isDescription(request: RequestRecord): boolean {
  return request.method === "GET" && partOf(request) !== undefined; // public.auth.1
}

/**
 * Answers `/openapi.json`, `/openapi.yaml` and `/docs` of each interface, beside its operations (D-docs): without a key
 * (public.auth.1), outside limits, faults and the request log. Each is made with its first request, since none changes.
 * @returns what answers undefined where the page has no such part
 */
export function createDescription(): (request: RequestRecord) => Promise<ResponseRecord | undefined> {
  const made = new Map<string, Pick<ResponseRecord, "headers" | "body">>();
  return async (request) => {
    const path = pathOf(request.target);
    const asked = partOf(request);
    if (asked === undefined) return undefined;
    let served = made.get(path);
    if (!served) {
      const [{ describe }, { operations }] = await Promise.all([
        import("../openapi/index.js"),
        import("../contract/contract.js"),
      ]);
      served = await describe(asked.surface, asked.part, operations);
      if (!served) return undefined;
      made.set(path, served);
    }
    // Headers of its own: each answer gets more of them on its way.
    return { status: 200, headers: { ...served.headers }, body: served.body };
  };
}
