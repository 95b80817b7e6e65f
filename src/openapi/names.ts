import type { Operation } from "../contract/operation.js";

/** Singulars that don't result from removing the plural's `s`. */
const nouns: Readonly<Record<string, string>> = {
  glossary: "GlossaryItem",
  knowledge: "KnowledgeItem",
  orgs: "Organization",
  pronunciation: "PronunciationItem",
  statistics: "Statistics",
  usage: "UsageRecord",
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

export const descriptionTag = "Description";

function parseResource(name: string): string {
  return name.split(".")[0] ?? name;
}

export function toTag(name: string): string {
  const resource = parseResource(name);
  return titles[resource] ?? capitalized(resource);
}

/** Returns the name of a request body's schema: `ContactCreate` for `contacts.create`. */
export function requestName(name: string): string {
  return ownNames[`${name} request`] ?? toNoun(name) + toAction(name);
}

/**
 * Returns the resource's name, such as `Contact`, if the list of the resource has the same schema as this operation.
 * Otherwise, returns a name such as `CallDetail` for `calls.get`.
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
  const resource = parseResource(name);
  return nouns[resource] ?? capitalized(resource.replace(/s$/, ""));
}

function toAction(name: string): string {
  return name.split(".").slice(1).map(capitalized).join("");
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
