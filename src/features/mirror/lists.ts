import { ClientError } from "../../client/errors.js";
import {
  type MirrorRequest,
  type MirrorResource,
  type PublicResource,
  publicResources,
} from "../../contract/mirror.js";
import { parsePathParameters } from "../../contract/operation.js";
import { type OperationName, wire } from "../../contract/wire.js";
import type { Raw } from "./mirror-emulator.js";

/** A list to read. Contacts have one list per selected group; other resource types have one list. */
export interface SourceList {
  name: string;
  resource: PublicResource;
  operation: OperationName;
  query: Readonly<Record<string, string>>;
}

/** Returns the lists to read. The resource types that other types refer to come first. */
export function listsOf(request: MirrorRequest, absent: Readonly<Record<string, unknown>>): SourceList[] {
  return publicResources
    .filter((resource) => request.include.includes(resource) && absent[resource] === undefined)
    .flatMap((resource) => queriesOf(resource, request).map((query) => listOf(resource, query)));
}

function queriesOf(
  resource: PublicResource,
  { contact_groups, calls_from }: MirrorRequest,
): Readonly<Record<string, string>>[] {
  if (resource === "contacts" && contact_groups !== null)
    return contact_groups.map((group_id) => ({ group_id }));
  if (resource === "calls" && calls_from !== null) return [{ created_from: calls_from }];
  return [{}];
}

function listOf(resource: PublicResource, query: Readonly<Record<string, string>>): SourceList {
  const search = new URLSearchParams(query).toString();
  return {
    name: search === "" ? resource : `${resource}?${search}`,
    resource,
    operation: `${resource}.list`,
    query,
  };
}

/** Returns the request that reads a record by its ID; undefined if the API has no such request. */
export function readingOf(
  resource: PublicResource,
  id: string,
): { operation: OperationName; path: Readonly<Record<string, string>> } | undefined {
  if (resource === "voices") return undefined;
  const operation: OperationName = `${resource}.get`;
  const [parameter = ""] = parsePathParameters(wire[operation].path);
  return { operation, path: { [parameter]: id } };
}

const unlisted: Readonly<Partial<Record<MirrorResource, readonly string[]>>> = {
  knowledge: ["text"],
  calls: ["details", "transcript", "analyses", "notes"],
};

/** Returns a record without the fields that lists omit. */
export function listed(resource: MirrorResource, raw: Raw): Raw {
  const left = unlisted[resource] ?? [];
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.includes(name)));
}

/** Returns why this list can't be read although other lists can; undefined for other errors. */
export function absenceOf(
  resource: MirrorResource,
  error: unknown,
): "forbidden" | "subscription" | "not-found" | undefined {
  // A copy without groups or voices is useless. Their lists respond with 402 only if the whole API is
  // unavailable.
  if (!(error instanceof ClientError) || resource === "groups" || resource === "voices") return undefined;
  if (error.status === 403) return "forbidden";
  if (error.status === 402) return "subscription";
  // The documents don't specify the path of tools.
  return error.status === 404 && resource === "tools" ? "not-found" : undefined;
}
