import type { Operation } from "../contract/operation.js";

/** The singular name of each resource. */
const nouns: Readonly<Record<string, string>> = {
  assistants: "Assistant",
  calendars: "Calendar",
  billing: "Billing",
  calls: "Call",
  customers: "Customer",
  contacts: "Contact",
  forwardings: "Forwarding",
  glossary: "GlossaryItem",
  groups: "Group",
  knowledge: "KnowledgeItem",
  licenses: "License",
  orgs: "Organization",
  partners: "Partner",
  ping: "Ping",
  pronunciation: "PronunciationItem",
  prompts: "Prompt",
  statistics: "Statistics",
  tools: "Tool",
  usage: "UsageRecord",
  voices: "Voice",
};

const titles: Readonly<Record<string, string>> = {
  distributor: "Service",
  glossary: "Glossary",
  knowledge: "Knowledge items",
  legacy: "Calls and health",
  orgs: "Organizations",
  ping: "Service",
};

const ownNames: Readonly<Record<string, string>> = {
  "calls.create request": "TriggerOutbound",
  "calls.create": "QueuedCall",
  "licenses.upsert request": "LicensesUpsert",
  "licenses.upsert": "License",
  "licenses.reassign": "Organization",
  "billing.get": "BillingSummary",
  "customers.plan request": "PlanChange",
  "distributor.health": "Health",
  "legacy.health": "Health",
  "legacy.call request": "OutboundCall",
  "legacy.call": "OutboundCallAnswer",
};

/** Returns `contacts` for `contacts.create`. */
function parseResource(name: string): string {
  return name.split(".")[0] ?? name;
}

/** Returns the heading of an operation, such as `Contacts`. */
export function toTag(name: string): string {
  const resource = parseResource(name);
  return titles[resource] ?? capitalized(resource);
}

/** `contacts.create` → `ContactCreate` */
export function requestName(name: string): string {
  return ownNames[`${name} request`] ?? toNoun(name) + toAction(name);
}

/**
 * Returns the schema name for an operation's response: the resource's own (`Contact`) if its list returns the same;
 * `CallDetail` if only `get` returns it; otherwise the operation's (`StatisticsUsage`).
 */
export function responseName(
  name: string,
  operation: Operation,
  operations: Readonly<Record<string, Operation>>,
): string {
  const own = ownNames[name];
  if (own !== undefined) return own;
  const list = operations[`${parseResource(name)}.list`];
  if (list?.response === operation.response || !name.includes(".")) return toNoun(name);
  return toNoun(name) + (name.endsWith(".get") ? "Detail" : toAction(name));
}

function toNoun(name: string): string {
  return nouns[parseResource(name)] ?? capitalized(parseResource(name));
}

function toAction(name: string): string {
  return name.split(".").slice(1).map(capitalized).join("");
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
