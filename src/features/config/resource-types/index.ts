import { assistants } from "./assistants.js";
import { calendars } from "./calendars.js";
import { forwardings } from "./forwardings.js";
import { glossary } from "./glossary.js";
import { groups } from "./groups.js";
import { knowledge } from "./knowledge.js";
import { prompts } from "./prompts.js";
import { pronunciation } from "./pronunciation.js";
import { type ResourceType, type ResourceTypeName, resourceTypeNames } from "./resource-type.js";
import { tools } from "./tools.js";

/** Resource types by name. The name is used in `kinds:` and is the first directory of a key. */
export const resourceTypes: Readonly<Record<ResourceTypeName, ResourceType>> = {
  assistants,
  prompts,
  knowledge,
  forwardings,
  glossary,
  pronunciation,
  calendars,
  tools,
  groups,
};

/** Order of creation: referenced resources come first. Deletions use the reverse order. */
export const order: readonly { type: ResourceTypeName; part: "group" | "item" }[] = [
  { type: "tools", part: "item" },
  { type: "calendars", part: "item" },
  { type: "groups", part: "item" },
  { type: "knowledge", part: "group" },
  { type: "forwardings", part: "group" },
  { type: "glossary", part: "group" },
  { type: "pronunciation", part: "group" },
  { type: "prompts", part: "item" },
  { type: "knowledge", part: "item" },
  { type: "forwardings", part: "item" },
  { type: "glossary", part: "item" },
  { type: "pronunciation", part: "item" },
  { type: "assistants", part: "item" },
];

function isResourceTypeName(name: string): name is ResourceTypeName {
  return resourceTypeNames.some((known) => known === name);
}

export function findResourceType(key: string): ResourceType | undefined {
  const [first = ""] = key.split("/");
  return isResourceTypeName(first) ? resourceTypes[first] : undefined;
}
