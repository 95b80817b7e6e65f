/** U5: files for live things that nothing is bound to. */
import { addTo } from "../base/lists.js";
import { liveNameOf, type References } from "./codec.js";
import { newFields } from "./file-values.js";
import type { Edit } from "./folder/edit.js";
import { freeKey, slugOf } from "./folder/keys.js";
import { bodyOfText } from "./folder/markdown.js";
import { yamlOf } from "./folder/yaml.js";
import { kinds, order } from "./kinds/index.js";
import type { Kind, KindName, ThingSpec } from "./kinds/kind.js";
import type { Live, LiveRecord } from "./live.js";

/** A live thing with the key that it gets. */
export interface NewThing {
  key: string;
  kind: Kind;
  spec: ThingSpec;
  id: string;
  record: LiveRecord;
}

export interface NewFiles {
  /** Whole files by their paths. */
  files: Map<string, string>;
  /** Items that go into files that are there, by these. */
  appended: Map<string, Edit[]>;
  left: { key: string; field: string; reason: string }[];
}

/**
 * Gives every unbound live thing of the managed kinds a key; those that can have none are left.
 * @param taken folded keys
 */
export function nameNewThings(
  managed: readonly KindName[],
  live: Live,
  isKnown: (id: string) => boolean,
  groupKey: (id: string) => string | undefined,
  taken: Set<string>,
): { things: NewThing[]; left: NewFiles["left"] } {
  const things: NewThing[] = [];
  const left: NewFiles["left"] = [];
  const groups = new Map<string, string>();
  for (const { kind: name, part } of order) {
    if (!managed.includes(name)) continue;
    const kind = kinds[name];
    const spec = part === "group" ? kind.group : kind.thing;
    if (spec === undefined) continue;
    const type = spec.fixed?.["type"];
    for (const [id, record] of live.things(spec.resource)) {
      if (isKnown(id) || (type !== undefined && record["type"] !== type)) continue;
      const made = keyOf(
        kind,
        part,
        record,
        spec,
        id,
        (groupId) => groups.get(groupId) ?? groupKey(groupId),
        taken,
      );
      if (made === undefined) continue;
      if ("left" in made) {
        left.push(made.left);
        continue;
      }
      const { key } = made;
      if (part === "group") groups.set(id, key);
      things.push({ key, kind, spec, id, record });
    }
  }
  return { things, left };
}

function keyOf(
  kind: Kind,
  part: "group" | "thing",
  record: LiveRecord,
  spec: ThingSpec,
  id: string,
  groupKey: (id: string) => string | undefined,
  taken: Set<string>,
): { key: string } | { left: NewFiles["left"][number] } | undefined {
  const name = liveNameOf(spec, record);
  if (part === "group" || kind.group === undefined)
    return { key: freeKey(`${kind.name}/${slugOf(name)}`, taken) };
  const group = groupKey(String(record["group_id"]));
  // A group outside the folder keeps what lies in it outside.
  if (group === undefined) return undefined;
  if (kind.layout === "folder") return { key: freeKey(`${group}/${slugOf(name)}`, taken) };
  // The item's own word is its key where that can be one; two of one word can't both be.
  if (kind.itemKey === "key") return { key: freeKey(`${group}#${slugOf(name === "" ? id : name)}`, taken) };
  const key = `${group}#${name.normalize("NFC").trim()}`;
  if (name.trim() !== "" && freeKey(key, taken) === key) return { key };
  const reason =
    name.trim() === ""
      ? `${id} has none, by which a file could name it`
      : `${id} has this one, too, and a file holds it once; voxctl lint names such doubles`;
  return { left: { key, field: spec.nameField, reason } };
}

/** The files of new things. */
export function writeNewThings(things: readonly NewThing[], live: Live, references: References): NewFiles {
  const files = new Map<string, string>();
  const appended = new Map<string, Edit[]>();
  const left: NewFiles["left"] = [];
  const items = new Map<string, Record<string, unknown>[]>();
  const valuesOf = ({ key, spec, record }: NewThing) => {
    const made = newFields(spec, record, live, references);
    left.push(...made.left.map((one) => ({ key, ...one })));
    return made.fields;
  };
  const newGroups = new Set(things.filter(({ spec }) => spec.resource === "groups").map(({ key }) => key));
  for (const thing of things) {
    const { kind, spec, key } = thing;
    if (kind.layout !== "items" || spec !== kind.thing) continue;
    const [group = "", item = ""] = key.split("#");
    const values = valuesOf(thing);
    const entry = kind.itemKey === "key" ? { key: item, ...values } : values;
    if (newGroups.has(group)) addTo(items, group, entry);
    else addTo(appended, group, { append: ["items"], value: entry });
  }
  for (const thing of things) {
    const { kind, spec, key } = thing;
    if (kind.layout === "items") {
      if (spec === kind.thing) continue;
      const inner = items.get(key);
      files.set(
        `${key}.yaml`,
        yamlFile(kind, { ...valuesOf(thing), ...(inner === undefined ? {} : { items: inner }) }),
      );
    } else if (kind.layout === "folder" && spec === kind.group)
      files.set(`${key}/_group.yaml`, yamlOf(valuesOf(thing)));
    else if (kind.body !== undefined) files.set(`${key}.md`, markdownFile(thing, valuesOf(thing)));
    else files.set(`${key}.yaml`, yamlFile(kind, valuesOf(thing)));
  }
  return { files, appended, left };
}

function yamlFile(kind: Kind, values: Record<string, unknown>): string {
  return `# yaml-language-server: $schema=../.voxctl/schema/${kind.name}.json\n${yamlOf(values)}`;
}

function markdownFile({ kind, record }: NewThing, values: Record<string, unknown>): string {
  const { body: field = "text" } = kind;
  const raw = record[field];
  const { body, ...more } = bodyOfText(typeof raw === "string" ? raw : "");
  const { [field]: escaped, ...rest } = values;
  const matter = { ...rest, ...more, ...(more.text === undefined ? {} : { text: escaped }) };
  return `---\n${yamlOf(matter)}---\n${body}`;
}
