import { isFields } from "../../base/fields.js";
import type { ApiName } from "../../contract/apis.js";
import type { OperationName } from "../../contract/wire.js";

export interface Seen {
  operation: string | undefined;
  /**
   * Undefined if the path is unknown. Also undefined for tool calls, because rules about Public API requests
   * don't apply to tool calls.
   */
  api: ApiName | undefined;
  /** For a tool call over MCP, `status` is the Public API's status for the same request. */
  tool: string | undefined;
  method: string;
  status: number;
  rule: string | null;
  query: URLSearchParams;
  /** Parsed bodies; undefined if missing or truncated. */
  request: unknown;
  response: unknown;
}

export type Evidence = (seen: Seen) => boolean;

export function at(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const name of path) current = isFields(current) ? current[name] : undefined;
  return current;
}

export function has(value: unknown, name: string): boolean {
  return isFields(value) && Object.hasOwn(value, name);
}

/** Accepts successful requests for these operations if the requests also pass `more`. */
export function done(names: OperationName | readonly OperationName[], more: Evidence = () => true): Evidence {
  const operationNames = new Set<string>(typeof names === "string" ? [names] : names);
  return (seen) => seen.status < 300 && operationNames.has(seen.operation ?? "") && more(seen);
}

export function refusedBy(rule: string, ...operations: OperationName[]): Evidence {
  const operationNames = new Set<string>(operations);
  return (seen) => seen.rule === rule && operationNames.has(seen.operation ?? "");
}

export const isPublic = (seen: Seen) => seen.api === "public";
export const isDistributor = (seen: Seen) => seen.api?.startsWith("distributor") === true;
export const succeeded = (seen: Seen) => seen.status < 300;
export const webhookOf = (seen: Seen) => at(seen.request, "pre_call_webhook");
export const authOf = (seen: Seen) => at(webhookOf(seen), "auth");
export const hasCredential = (value: unknown) => has(value, "secret") || has(value, "password");

export const calendarSaves = ["calendars.create", "calendars.update"] as const;
export const knowledgeSaves = ["knowledge.create", "knowledge.update"] as const;
export const promptSaves = ["prompts.create", "prompts.update"] as const;
export const forwardingSaves = ["forwardings.create", "forwardings.update"] as const;
export const assistantReads = ["assistants.get", "assistants.create", "assistants.update"] as const;
export const itemUpdates = ["forwardings.update", "glossary.update", "pronunciation.update"] as const;
export const itemCreates = ["glossary.create", "pronunciation.create"] as const;
export const toolReads = ["tools.get", "tools.create", "tools.update"] as const;

export const webhookPatch = (more: Evidence) => done("assistants.update", more);
export const syncState = (...states: string[]) =>
  done("knowledge.get", (seen) => states.includes(String(at(seen.response, "data", "sync_status", "state"))));
