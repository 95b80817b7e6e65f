import { addTo } from "../../base/lists.js";
import { liveNameOf, type References } from "./codec.js";
import { newFields } from "./file-values.js";
import type { Edit } from "./folder/edit.js";
import { freeKey, slugOf } from "./folder/keys.js";
import { bodyOfText } from "./folder/markdown.js";
import { yamlOf } from "./folder/yaml.js";
import type { Live, LiveRecord } from "./live.js";
import { order, resourceTypes } from "./resource-types/index.js";
import type { ResourceSpec, ResourceType, ResourceTypeName } from "./resource-types/resource-type.js";

export interface NewResource {
  key: string;
  resourceType: ResourceType;
  spec: ResourceSpec;
  id: string;
  record: LiveRecord;
}

export interface NewFiles {
  files: Map<string, string>;
  /** Items to append to existing files, by the file's key. */
  appended: Map<string, Edit[]>;
  left: { key: string; field: string; reason: string }[];
}

/**
 * Assigns keys to live resources that have no file. `left` lists resources that can't have a key.
 * @param taken normalized keys in use
 */
export function nameNewResources(
  managed: readonly ResourceTypeName[],
  live: Live,
  isKnown: (id: string) => boolean,
  groupKey: (id: string) => string | undefined,
  taken: Set<string>,
): { resources: NewResource[]; left: NewFiles["left"] } {
  const resources: NewResource[] = [];
  const left: NewFiles["left"] = [];
  const groups = new Map<string, string>();
  for (const { type: name, part } of order) {
    if (!managed.includes(name)) continue;
    const resourceType = resourceTypes[name];
    const spec = part === "group" ? resourceType.group : resourceType.item;
    if (spec === undefined) continue;
    const type = spec.fixed?.["type"];
    for (const [id, record] of live.records(spec.resource)) {
      if (isKnown(id) || (type !== undefined && record["type"] !== type)) continue;
      const made = keyOf(
        resourceType,
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
      resources.push({ key, resourceType, spec, id, record });
    }
  }
  return { resources, left };
}

function keyOf(
  resourceType: ResourceType,
  part: "group" | "item",
  record: LiveRecord,
  spec: ResourceSpec,
  id: string,
  groupKey: (id: string) => string | undefined,
  taken: Set<string>,
): { key: string } | { left: NewFiles["left"][number] } | undefined {
  const name = liveNameOf(spec, record);
  if (part === "group" || resourceType.group === undefined)
    return { key: freeKey(`${resourceType.name}/${slugOf(name)}`, taken) };
  const group = groupKey(String(record["group_id"]));
  // Without a file for its group, an item can't be written.
  if (group === undefined) return undefined;
  if (resourceType.layout === "folder") return { key: freeKey(`${group}/${slugOf(name)}`, taken) };
  // Without a `key` field, an item's name is its key. Only some types have this field, so items of other types
  // need unique names.
  if (resourceType.itemKey === "key")
    return { key: freeKey(`${group}#${slugOf(name === "" ? id : name)}`, taken) };
  const key = `${group}#${name.normalize("NFC").trim()}`;
  if (name.trim() !== "" && freeKey(key, taken) === key) return { key };
  const reason =
    name.trim() === ""
      ? `${id} has no ${spec.nameField}, so a file can't refer to it`
      : `${id} has the same ${spec.nameField} as another item, but a ${spec.nameField} must be unique in a file; to list duplicates, run \`voxctl lint\``;
  return { left: { key, field: spec.nameField, reason } };
}

export function writeNewResources(
  resources: readonly NewResource[],
  live: Live,
  references: References,
): NewFiles {
  const files = new Map<string, string>();
  const appended = new Map<string, Edit[]>();
  const left: NewFiles["left"] = [];
  const items = new Map<string, Record<string, unknown>[]>();
  const valuesOf = ({ key, spec, record }: NewResource) => {
    const made = newFields(spec, record, live, references);
    left.push(...made.left.map((entry) => ({ key, ...entry })));
    return made.fields;
  };
  const newGroups = new Set(resources.filter(({ spec }) => spec.resource === "groups").map(({ key }) => key));
  for (const newResource of resources) {
    const { resourceType, spec, key } = newResource;
    if (resourceType.layout !== "items" || spec !== resourceType.item) continue;
    const [group = "", item = ""] = key.split("#");
    const values = valuesOf(newResource);
    const entry = resourceType.itemKey === "key" ? { key: item, ...values } : values;
    if (newGroups.has(group)) addTo(items, group, entry);
    else addTo(appended, group, { append: ["items"], value: entry });
  }
  for (const newResource of resources) {
    const { resourceType, spec, key } = newResource;
    if (resourceType.layout === "items") {
      if (spec === resourceType.item) continue;
      const inner = items.get(key);
      files.set(
        `${key}.yaml`,
        yamlFile(resourceType, {
          ...valuesOf(newResource),
          ...(inner === undefined ? {} : { items: inner }),
        }),
      );
    } else if (resourceType.layout === "folder" && spec === resourceType.group)
      files.set(`${key}/_group.yaml`, yamlOf(valuesOf(newResource)));
    else if (resourceType.body !== undefined)
      files.set(`${key}.md`, markdownFile(newResource, valuesOf(newResource)));
    else files.set(`${key}.yaml`, yamlFile(resourceType, valuesOf(newResource)));
  }
  return { files, appended, left };
}

function yamlFile(resourceType: ResourceType, values: Record<string, unknown>): string {
  return `# yaml-language-server: $schema=../.voxctl/schema/${resourceType.name}.json\n${yamlOf(values)}`;
}

function markdownFile({ resourceType, record }: NewResource, values: Record<string, unknown>): string {
  const { body: field = "text" } = resourceType;
  const raw = record[field];
  const { body, ...more } = bodyOfText(typeof raw === "string" ? raw : "");
  const { [field]: escaped, ...otherFields } = values;
  const matter = { ...otherFields, ...more, ...(more.text === undefined ? {} : { text: escaped }) };
  return `---\n${yamlOf(matter)}---\n${body}`;
}
