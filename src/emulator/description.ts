import { surfaces } from "../contract/surfaces.js";
import { pathOf } from "./paths.js";
import type { RequestRecord, ResponseRecord } from "./records.js";

const { basePath } = surfaces.public;
const described = new RegExp(`^${basePath}/(openapi\\.(json|yaml)|docs(/[\\w.-]+)?)$`);

/** D-method: with another method it is an unmatched route. */
export function isDescription(request: RequestRecord): boolean {
  return request.method === "GET" && described.test(pathOf(request.target));
}

/**
 * Answers `/openapi.json`, `/openapi.yaml` and `/docs`, relative to the base address (D-docs): without a key
 * (public.auth.1), outside limits, faults and the request log. Each is made with its first request, since none changes.
 * @returns what answers undefined where the page has no such part
 */
export function createDescription(): (request: RequestRecord) => Promise<ResponseRecord | undefined> {
  const made = new Map<string, Pick<ResponseRecord, "headers" | "body">>();
  return async (request) => {
    const path = pathOf(request.target).slice(basePath.length);
    let served = made.get(path);
    if (!served) {
      const [{ describe }, { operations }] = await Promise.all([
        import("../openapi/index.js"),
        import("../contract/contract.js"),
      ]);
      served = await describe(path, operations);
      if (!served) return undefined;
      made.set(path, served);
    }
    // Headers of its own: each answer gets more of them on its way.
    return { status: 200, headers: { ...served.headers }, body: served.body };
  };
}
