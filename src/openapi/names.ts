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

/** The tag of the document's own paths. */
export const descriptionTag = "Description";

const tagDescriptions: Readonly<Record<string, string>> = {
  Assistants: "Assistants answer and make calls, with the prompts, voices and tools that they refer to.",
  Billing: "Monthly billing summaries of MSPs.",
  Calendars: "Calendars limit an assistant's appointments to their schedules.",
  Calls: "Calls with their transcripts and recordings; outbound calls.",
  "Calls and health": "Outbound calls, and the health of the service.",
  Contacts: "People and companies that assistants know by name.",
  Customers: "Customers of partners, and their subscription plans.",
  [descriptionTag]: "This document in its formats.",
  Forwardings: "Destinations to which assistants forward calls.",
  Glossary: "Terms with their definitions.",
  Groups: "Groups of contacts, knowledge items, forwardings, glossary entries and pronunciation rules.",
  "Knowledge items": "Texts from which assistants answer questions.",
  Licenses: "Licenses of MSPs, each for one organization.",
  Organizations: "MSPs and their customers.",
  Partners: "Partners of a distributor.",
  Prompts: "Instructions for assistants and their emails.",
  Pronunciation: "Rules for the pronunciation of written words.",
  Service: "Checks the connection and the key.",
  Statistics: "Numbers and durations of calls.",
  Tools: "Webhooks that assistants call during a call.",
  Usage: "Usage of organizations per day.",
  Voices: "Voices for assistants.",
};

/** @throws Error if the tag has no description */
export function describeTag(tag: string): string {
  const description = tagDescriptions[tag];
  if (description === undefined) throw new Error(`no description of the tag ${tag}`);
  return description;
}

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
