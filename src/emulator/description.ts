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
 * (public.auth.1), outside limits, faults and the request log.
 * @returns undefined where the page has no such part
 */
export async function answerDescription(request: RequestRecord): Promise<ResponseRecord | undefined> {
  const [{ describe }, { operations }] = await Promise.all([
    import("../openapi/index.js"),
    import("../contract/contract.js"),
  ]);
  const found = await describe(pathOf(request.target).slice(basePath.length), operations);
  return found && { status: 200, ...found };
}
