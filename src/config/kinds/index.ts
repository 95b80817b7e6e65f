import { assistants } from "./assistants.js";
import { calendars } from "./calendars.js";
import { forwardings } from "./forwardings.js";
import { glossary } from "./glossary.js";
import { groups } from "./groups.js";
import { type Kind, type KindName, kindNames } from "./kind.js";
import { knowledge } from "./knowledge.js";
import { prompts } from "./prompts.js";
import { pronunciation } from "./pronunciation.js";
import { tools } from "./tools.js";

/** Every kind, by its name in `kinds:` and the first folder of its keys. */
export const kinds: Readonly<Record<KindName, Kind>> = {
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

/** A2: things that others refer to are made before them, and deleted after them. */
export const order: readonly { kind: KindName; part: "group" | "thing" }[] = [
  { kind: "tools", part: "thing" },
  { kind: "calendars", part: "thing" },
  { kind: "groups", part: "thing" },
  { kind: "knowledge", part: "group" },
  { kind: "forwardings", part: "group" },
  { kind: "glossary", part: "group" },
  { kind: "pronunciation", part: "group" },
  { kind: "prompts", part: "thing" },
  { kind: "knowledge", part: "thing" },
  { kind: "forwardings", part: "thing" },
  { kind: "glossary", part: "thing" },
  { kind: "pronunciation", part: "thing" },
  { kind: "assistants", part: "thing" },
];

function isKindName(name: string): name is KindName {
  return kindNames.some((known) => known === name);
}

/** The kind of a key, and which of its things: `knowledge/preise` is a group, `knowledge/preise/x` lies in one. */
export function kindOfKey(key: string): Kind | undefined {
  const [first = ""] = key.split("/");
  return isKindName(first) ? kinds[first] : undefined;
}
