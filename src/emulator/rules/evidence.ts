import type { SurfaceName } from "../../contract/surfaces.js";
import type { OperationName } from "../../contract/wire.js";

/** One request of the log, as far as rules can be told from it. */
export interface Seen {
  /** Undefined where the path is unknown. */
  operation: string | undefined;
  /** Undefined for a call of a tool, too: what holds of requests to the Public API itself is not shown by one. */
  surface: SurfaceName | undefined;
  /** The tool that was called over MCP; its status is the one that the Public API would have answered with. */
  tool: string | undefined;
  method: string;
  status: number;
  /** The rule that refused it. */
  rule: string | null;
  query: URLSearchParams;
  /** The parsed bodies; undefined where there was none, or it was cut. */
  request: unknown;
  response: unknown;
}

/** Did this request exercise the rule? */
export type Evidence = (seen: Seen) => boolean;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of a body. */
function at(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const name of path) current = isObject(current) ? current[name] : undefined;
  return current;
}

function has(value: unknown, name: string): boolean {
  return isObject(value) && Object.hasOwn(value, name);
}

/** One of these operations succeeded, and more holds of it. */
function done(names: OperationName | readonly OperationName[], more: Evidence = () => true): Evidence {
  const wanted = new Set<string>(typeof names === "string" ? [names] : names);
  return (seen) => seen.status < 300 && wanted.has(seen.operation ?? "") && more(seen);
}

function refusedBy(rule: string, ...operations: OperationName[]): Evidence {
  const wanted = new Set<string>(operations);
  return (seen) => seen.rule === rule && wanted.has(seen.operation ?? "");
}

const isPublic = (seen: Seen) => seen.surface === "public";
const isDistributor = (seen: Seen) => seen.surface?.startsWith("distributor") === true;
const succeeded = (seen: Seen) => seen.status < 300;
const webhookOf = (seen: Seen) => at(seen.request, "pre_call_webhook");
const authOf = (seen: Seen) => at(webhookOf(seen), "auth");
const hasCredential = (value: unknown) => has(value, "secret") || has(value, "password");

const calendarSaves = ["calendars.create", "calendars.update"] as const;
const knowledgeSaves = ["knowledge.create", "knowledge.update"] as const;
const promptSaves = ["prompts.create", "prompts.update"] as const;
const forwardingSaves = ["forwardings.create", "forwardings.update"] as const;
const assistantReads = ["assistants.get", "assistants.create", "assistants.update"] as const;
const itemUpdates = ["forwardings.update", "glossary.update", "pronunciation.update"] as const;
const itemCreates = ["glossary.create", "pronunciation.create"] as const;
const toolReads = ["tools.get", "tools.create", "tools.update"] as const;

const webhookPatch = (more: Evidence) => done("assistants.update", more);
const syncState = (...states: string[]) =>
  done("knowledge.get", (seen) => states.includes(String(at(seen.response, "data", "sync_status", "state"))));

/**
 * How a rule shows in requests that were not refused by it; a refusal names its rule itself. What is neither here nor
 * in `refusing` can't be told from the log.
 */
export const evidence: Readonly<Record<string, Evidence>> = {
  "public.general.2": (seen) =>
    isPublic(seen) && succeeded(seen) && isObject(at(seen.response, "data")) && seen.method !== "DELETE",
  "public.general.3": (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  "public.general.4": (seen) => isPublic(seen) && seen.status >= 400,
  "public.general.5a": (seen) => isPublic(seen) && succeeded(seen) && isObject(at(seen.response, "data")),
  "public.general.5b": (seen) =>
    isPublic(seen) &&
    succeeded(seen) &&
    (has(seen.request, "parameters") || has(seen.request, "headers") || has(webhookOf(seen), "headers")),
  "public.general.6": (seen) => isPublic(seen) && has(at(seen.response, "data"), "created_at"),
  "public.general.9a": (seen) => isPublic(seen) && succeeded(seen) && seen.query.has("cursor"),
  "public.contact.fields": done("contacts.create"),
  "public.contact.group": done("contacts.create"),
  "public.group.types": done("groups.create"),
  "public.knowledge.text": done("knowledge.get"),
  "public.knowledge.sync": done("knowledge.get"),
  "public.prompt.kinds": done("prompts.create"),
  "public.prompt.token": done(promptSaves, (seen) =>
    String(at(seen.request, "text")).includes("@preCallData"),
  ),
  "public.prompt.rating": done(promptSaves, (seen) => isObject(at(seen.response, "data", "rating"))),
  "public.voice.generations": done("voices.list"),
  "public.assistant.required": done("assistants.create"),
  "public.assistant.readonly": (seen) =>
    ["assistants.create", "assistants.update"].includes(seen.operation ?? "") &&
    (has(seen.request, "phone_number") || has(seen.request, "carrier")),
  "public.assistant.refs": done(
    "assistants.update",
    (seen) => isObject(seen.request) && Object.keys(seen.request).some((name) => /_ids?$/.test(name)),
  ),
  "public.webhook.enabled": webhookPatch((seen) => isObject(webhookOf(seen))),
  "public.webhook.url": webhookPatch((seen) => at(webhookOf(seen), "enabled") === true),
  "public.webhook.secrets": done(assistantReads, (seen) =>
    isObject(at(seen.response, "data", "pre_call_webhook", "auth")),
  ),
  "public.forwarding.types": done(forwardingSaves),
  "public.pronunciation.token": done("pronunciation.create"),
  "public.calendar.kinds": done(calendarSaves, (seen) => has(seen.request, "schedules")),
  "public.call.detail": done("calls.get"),
  "public.call.trigger-fields": done("calls.create"),
  "public.tool.secret": done(toolReads, (seen) => at(seen.response, "data", "has_secret") === true),
  "public.states.create": done("knowledge.create"),
  "public.states.indexing": syncState("syncing", "synced", "failed"),
  "public.states.patch": done("knowledge.update"),
  "public.states.failed": syncState("failed"),
  "public.states.recording": done("calls.recording.delete"),

  "public.endpoints.ping": done("ping"),
  "public.endpoints.crud": (seen) => isPublic(seen) && succeeded(seen),
  "public.endpoints.voices": done("voices.list"),
  "public.endpoints.filters": (seen) =>
    isPublic(seen) &&
    succeeded(seen) &&
    seen.method === "GET" &&
    [...seen.query.keys()].some((name) =>
      /^(group_id|type|assistant_id|assistant_phone|created_)/.test(name),
    ),
  "public.endpoints.delete": (seen) => isPublic(seen) && succeeded(seen) && seen.method === "DELETE",
  "public.operations.1a": done("groups.delete"),
  "public.operations.2": done(knowledgeSaves),
  "public.operations.4a": done("assistants.create"),
  "public.operations.4b": refusedBy("public.assistant.refs", "assistants.create"),
  "public.operations.4c": done("assistants.create", (seen) => isObject(webhookOf(seen))),
  "public.operations.5": done("assistants.update"),
  "public.operations.6a": done("assistants.update", (seen) => has(seen.request, "introduction")),
  "public.operations.7a": webhookPatch((seen) => !has(seen.request, "pre_call_webhook")),
  "public.operations.7b": webhookPatch((seen) => webhookOf(seen) === null),
  "public.operations.7c": webhookPatch((seen) => isObject(webhookOf(seen))),
  "public.operations.7d": webhookPatch((seen) => has(webhookOf(seen), "headers")),
  "public.operations.7e": webhookPatch(
    (seen) => isObject(webhookOf(seen)) && (authOf(seen) === undefined || authOf(seen) === null),
  ),
  "public.operations.7f": webhookPatch(
    (seen) => isObject(authOf(seen)) && !hasCredential(authOf(seen)) && at(authOf(seen), "type") !== "none",
  ),
  "public.operations.7g": webhookPatch((seen) => isObject(authOf(seen)) && hasCredential(authOf(seen))),
  "public.operations.7h": webhookPatch((seen) => at(webhookOf(seen), "enabled") === false),
  "public.operations.7k": webhookPatch(
    (seen) =>
      (has(authOf(seen), "has_secret") || has(authOf(seen), "has_password")) && !hasCredential(authOf(seen)),
  ),
  "public.operations.8a": done("forwardings.create"),
  "public.operations.8c": done(
    forwardingSaves,
    (seen) => at(seen.request, "destination_type") === "phone" && !at(seen.request, "phone_number"),
  ),
  "public.operations.9": done(itemUpdates),
  "public.operations.10": done(itemCreates),
  "public.operations.11": refusedBy("public.calendar.unique", "calendars.create", "calendars.update"),
  "public.operations.11b": done("calendars.update", (seen) => has(seen.request, "schedules")),
  "public.operations.12a": done("calls.create"),
  "public.operations.12b": done("calls.create"),
  "public.operations.12c": done("calls.create", (seen) => has(seen.request, "details")),
  "public.operations.12d": done("calls.create", (seen) => {
    const sent = at(seen.request, "to") ?? at(seen.request, "target_phone");
    return sent !== at(seen.response, "data", "to");
  }),
  "public.operations.12e": done("calls.create"),
  "public.operations.13a": done("calls.recording.get", (seen) => seen.status === 206),
  "public.operations.13b": done("calls.recording.get"),
  "public.operations.14a": done("calls.recording.delete"),
  "public.operations.14b": refusedBy("public.auth.5", "calls.recording.delete"),
  "public.operations.15": done("statistics.summary"),
  "public.operations.16a": done("statistics.usage"),
  "public.operations.16c": done("statistics.usage"),
  "public.operations.16d": done("statistics.usage"),
  "public.operations.17": done("voices.list"),

  "public.auth.1": (seen) => isPublic(seen) && seen.status === 401,
  "public.errors.1": (seen) => isPublic(seen) && at(seen.response, "error", "code") === "validation_failed",
  "public.errors.5": (seen) => (seen.tool !== undefined && seen.status >= 400) || seen.rule === "D-mcp",
  "public.errors.2b": (seen) => seen.rule === "public.limits.1" || seen.rule === "public.errors.3",
  "public.limits.read": (seen) => isPublic(seen) && succeeded(seen) && seen.method === "GET",
  "public.limits.write": (seen) =>
    isPublic(seen) && succeeded(seen) && seen.method !== "GET" && seen.operation !== "calls.create",
  "public.limits.outbound": done("calls.create"),
  "public.limits.4": (seen) => seen.tool !== undefined,
  "D-mcp": (seen) => seen.tool !== undefined,
  "public.limits.2": (seen) => isPublic(seen) && succeeded(seen),
  "public.limits.3": (seen) =>
    (isPublic(seen) && (seen.status === 401 || seen.status === 402)) ||
    seen.rule === "public.errors.3" ||
    seen.operation === undefined,

  "v2.create": done("orgs.create"),
  "v2.create.msp": done("orgs.create", (seen) => at(seen.request, "type") === "msp"),
  "v2.create.customer": done("orgs.create", (seen) => at(seen.request, "type") === "customer"),
  "v2.license.states": done("licenses.upsert"),
  "v2.license.reassign": done("licenses.reassign"),
  "v2.license.delete": done("orgs.delete"),
  "v2.license.disable": done("licenses.upsert", (seen) =>
    JSON.stringify(seen.request).includes('"status":"disabled"'),
  ),
  "v2.list": done("orgs.list"),
  "v2.tree": done("orgs.tree"),
  "v2.licenses.upsert": done("licenses.upsert"),
  "v2.usage": done("usage.list"),
  "v2.billing": done("billing.get"),
  "dist.limits.1": (seen) =>
    isDistributor(seen) && succeeded(seen) && seen.operation !== "distributor.health",
  "dist.limits.2": (seen) =>
    isDistributor(seen) && succeeded(seen) && seen.operation !== "distributor.health",
  "v1.errors.flat": (seen) => seen.surface === "distributor-v1" && seen.status >= 400,
  "v1.health": done("distributor.health"),
  "legacy.call": done("legacy.call"),
  "legacy.health": done("legacy.health"),

  "D-empty": (seen) => isPublic(seen) && succeeded(seen) && seen.method === "DELETE",
  "D-error": (seen) => isPublic(seen) && seen.status >= 400,
  "D-limit": (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  "D-times": (seen) => isPublic(seen) && has(at(seen.response, "data"), "updated_at"),
  "D-window": (seen) => seen.rule === "public.errors.2a",
  "D-lifecycle": done("calls.get"),
  "D-stats": done(["statistics.summary", "statistics.usage"]),
  "D-v2-envelope": (seen) => seen.surface === "distributor-v2",
  "D-v2-org": done(["orgs.create", "orgs.list"]),
  "D-v2-licenses": done("licenses.upsert"),
  "D-v2-reassign": done("licenses.reassign"),
  "D-v2-list": done("orgs.list"),
  "D-v2-tree": done("orgs.tree"),
  "D-v2-delete": done("orgs.delete"),
  "D-v2-usage": done("usage.list"),
  "D-v2-billing": done("billing.get"),
  "D-usage-order": done(["usage.list", "partners.usage"]),
  "D-billing-self": done("billing.get"),
  "D-v1-paths": (seen) => seen.surface === "distributor-v1" && seen.operation !== undefined,
  "D-v1-partner": done(["partners.create", "partners.get", "partners.delete"]),
  "D-v1-link": done(["partners.create", "customers.create"]),
  "D-v1-customer": done(["customers.create", "customers.get"]),
  "D-v1-plan": done("customers.plan"),
  "D-v1-usage": done(["partners.usage", "partners.billing"]),
  "D-legacy-error": (seen) => seen.surface === "legacy" && seen.status >= 400,
  "D-legacy-health": done("legacy.health"),
};

/** Rules that a refusal may name in `X-Emulator-Rule`: met when one did. */
export const refusing: ReadonlySet<string> = new Set([
  "public.assistant.refs",
  "public.assistant.required",
  "public.auth.4",
  "public.auth.5",
  "public.auth.6",
  "public.calendar.kinds",
  "public.calendar.unique",
  "public.call.trigger-fields",
  "public.contact.fields",
  "public.contact.group",
  "public.errors.1",
  "public.errors.2a",
  "public.errors.3",
  "public.errors.4",
  "public.errors.6",
  "public.forwarding.types",
  "public.general.5b",
  "public.general.7",
  "public.general.8",
  "public.general.9b",
  "public.group.own-type",
  "public.group.types",
  "public.items.group-immutable",
  "public.knowledge.sync",
  "public.limits.1",
  "public.limits.4",
  "public.operations.1b",
  "public.operations.1c",
  "public.operations.3a",
  "public.operations.6b",
  "public.operations.7g",
  "public.operations.7i",
  "public.operations.7j",
  "public.operations.8a",
  "public.operations.8b",
  "public.operations.10",
  "public.operations.11c",
  "public.operations.12a",
  "public.operations.12b",
  "public.operations.12f",
  "public.operations.13c",
  "public.operations.14a",
  "public.operations.14d",
  "public.operations.14e",
  "public.operations.14f",
  "public.operations.16a",
  "public.operations.16b",
  "public.pronunciation.token",
  "public.tool.webhook-only",
  "public.voice.generations",
  "public.webhook.enabled",
  "public.webhook.url",
  "dist.auth.expired",
  "dist.auth.missing",
  "dist.auth.permission",
  "dist.auth.version",
  "dist.limits.3",
  "dist.limits.4",
  "legacy.assistant",
  "legacy.auth",
  "legacy.details",
  "legacy.failed",
  "legacy.german",
  "legacy.limit",
  "legacy.phone-format",
  "v1.customer.duplicate",
  "v1.errors.id",
  "v1.errors.not-found",
  "v1.errors.range",
  "v1.errors.validation",
  "v1.org-creation",
  "v1.partner.delete",
  "v1.partner.duplicate",
  "v1.partner.not-found",
  "v1.plan",
  "v2.create",
  "v2.create.customer",
  "v2.create.msp",
  "v2.delete.msp",
  "v2.duplicate",
  "D-assistant",
  "D-body",
  "D-calendar",
  "D-call",
  "D-contact",
  "D-cursor",
  "D-features",
  "D-forwarding",
  "D-glossary",
  "D-group",
  "D-knowledge",
  "D-legacy-limit",
  "D-limit",
  "D-keys",
  "D-mcp",
  "D-method",
  "D-nesting",
  "D-normalize",
  "D-order",
  "D-prompt",
  "D-pronunciation",
  "D-recording",
  "D-stats",
  "D-strict",
  "D-text",
  "D-times",
  "D-tool",
  "D-v1-customer",
  "D-v1-partner",
  "D-v1-plan",
  "D-v2-billing",
  "D-v2-create",
  "D-v2-delete",
  "D-v2-licenses",
  "D-v2-list",
  "D-v2-order",
  "D-v2-org",
  "D-v2-reassign",
  "D-v2-usage",
  "D-voice",
  "D-webhook",
]);
