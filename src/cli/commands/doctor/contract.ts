import { messageOf } from "../../../base/error-code.js";
import { isFields } from "../../../base/fields.js";
import type { Difference } from "../../../openapi/compare.js";
import type { ChosenProfile } from "../../profiles/profile.js";
import type { Connection, Session } from "../../session/session.js";
import type { Check, Finding } from "./finding.js";

export async function checkContract({ client, baseUrl }: Connection, session: Session): Promise<Finding> {
  const check = "description";
  if (baseUrl("public") === undefined)
    return { check, state: "skipped", message: "the profile has no URL for the Public API" };
  let body: unknown;
  try {
    ({ body } = await client.request(
      { api: "public", method: "GET", rawPath: "/openapi.json" },
      { signal: session.signal },
    ));
  } catch (error) {
    if (session.signal.aborted) throw error;
    return { check, state: "warning", message: `${baseUrl("public")}/openapi.json: ${messageOf(error)}` };
  }
  const [{ compareDocuments }, { createOpenApiDocument }, { operations }] = await Promise.all([
    import("../../../openapi/compare.js"),
    import("../../../openapi/document.js"),
    import("../../../contract/contract.js"),
  ]);
  const ours = createOpenApiDocument(operations, "public", baseUrl("public") ?? "");
  const differences = compareDocuments(ours, body);
  if (!differences) return { check, state: "warning", message: "/openapi.json is not an OpenAPI document" };
  if (differences.length === 0)
    return { check, state: "ok", message: `version ${getVersion(body)} matches the version in voxctl` };
  return {
    check,
    state: "warning",
    message: `version ${getVersion(body)} differs from the version in voxctl: ${formatDifferences(differences)}`,
    details: differences.map((difference) => ({ ...difference })),
  };
}

function getVersion(document: unknown): string {
  const info = isFields(document) ? document["info"] : undefined;
  return isFields(info) && typeof info["version"] === "string" ? info["version"] : "?";
}

function formatDifferences(differences: readonly Difference[]): string {
  const lacking = differences.filter(({ what, ours }) => what === "exists" && ours === null).length;
  const missing = differences.filter(({ what, theirs }) => what === "exists" && theirs === null).length;
  const different = differences.length - lacking - missing;
  const assumed = differences.filter(({ assumed }) => assumed !== null).length;
  return [
    ...(lacking > 0 ? [`${lacking} only in the service`] : []),
    ...(missing > 0 ? [`${missing} only in voxctl`] : []),
    ...(different > 0 ? [`${different} changed`] : []),
    ...(assumed > 0 ? [`including ${assumed} that voxctl assumes`] : []),
  ].join(", ");
}

/** Lists the undocumented paths that voxctl assumes. A profile can override them. */
export async function checkPaths(profile: ChosenProfile, { baseUrl }: Connection): Promise<Finding> {
  const { operations } = await import("../../../contract/contract.js");
  const own = profile.type === "remote" ? profile.paths : {};
  const details = Object.entries(operations)
    .filter(([, { pathAssumed, api }]) => pathAssumed !== undefined && baseUrl(api) !== undefined)
    .map(([operation, { method, path, pathAssumed }]) => ({
      operation,
      method,
      path,
      assumed: pathAssumed,
      overridden_by: Object.hasOwn(own, operation) ? (own[operation] ?? null) : null,
    }));
  const overridden = details.filter((detail) => detail.overridden_by !== null).length;
  return {
    check: "assumed paths",
    state: "ok",
    message: `${details.length} undocumented paths in use, ${overridden} overridden by the profile`,
    details,
  };
}

export function formatDifference({
  operation,
  where,
  what,
  ours,
  theirs,
  assumed,
}: Check["details"][number]): string {
  const text =
    what === "exists"
      ? ours === null
        ? "only in the service"
        : "only in voxctl"
      : `${what}: ${ours ?? "–"} in voxctl, ${theirs ?? "–"} in the service`;
  return `${operation} ${where}: ${text}${assumed ? ` (assumed: ${assumed})` : ""}`;
}
