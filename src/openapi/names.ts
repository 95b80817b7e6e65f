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

/** The tag for the paths of the document itself. */
export const descriptionTag = "Description";

const tagDescriptions: Readonly<Record<string, string>> = {
  Assistants: "Assistants that answer and make calls, using prompts, voices and tools.",
  Billing: "Monthly billing summaries of MSPs.",
  Calendars: "Calendars whose schedules limit when assistants make appointments.",
  Calls: "Calls with their transcripts and recordings, and outbound calls.",
  "Calls and health": "Outbound calls, and the health of the service.",
  Contacts: "People and companies that assistants know by name.",
  Customers: "Customers of partners, and their subscription plans.",
  [descriptionTag]: "This document in several formats.",
  Forwardings: "Destinations to which assistants forward calls.",
  Glossary: "Terms with their definitions.",
  Groups: "Groups of contacts, knowledge items, forwardings, glossary entries and pronunciation rules.",
  "Knowledge items": "Texts that assistants use to answer questions.",
  Licenses: "Licenses of MSPs, each for one organization.",
  Organizations: "MSPs and their customers.",
  Partners: "Partners of a distributor.",
  Prompts: "Instructions for assistants and their emails.",
  Pronunciation: "Rules for the pronunciation of written words.",
  Service: "Check the connection and the key.",
  Statistics: "Numbers and durations of calls.",
  Tools: "Webhooks that assistants call during a call.",
  Usage: "Usage of organizations per day.",
  Voices: "Voices for assistants.",
};

/** @throws Error if the tag has no description */
export function describeTag(tag: string): string {
  const description = tagDescriptions[tag];
  if (description === undefined) throw new Error(`no description for the tag ${tag}`);
  return description;
}

/** Returns `contacts` for `contacts.create`. */
function parseResource(name: string): string {
  return name.split(".")[0] ?? name;
}

/** Returns the tag of an operation, such as `Contacts`. */
export function toTag(name: string): string {
  const resource = parseResource(name);
  return titles[resource] ?? capitalized(resource);
}

/** Returns the schema name of a request body: `ContactCreate` for `contacts.create`. */
export function requestName(name: string): string {
  return ownNames[`${name} request`] ?? toNoun(name) + toAction(name);
}

/**
 * Returns the schema name of a response: the resource's name (`Contact`) if the list returns the same schema, a name such as `CallDetail`
 * if only `get` returns it, otherwise the operation's name (`StatisticsUsage`).
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
