import { addTo } from "../../base/lists.js";
import { normalizedText } from "../../write/fields.js";
import { canonical, hashOf } from "./canonical.js";
import { appliedOf, fileHashes, groupField, liveNameOf, type References } from "./codec.js";
import type { ConfigObject } from "./folder/objects.js";
import type { LiveRecord } from "./live.js";
import type { LockLine } from "./lock.js";
import { findResourceType } from "./resource-types/index.js";
import type { ResourceSpec } from "./resource-types/resource-type.js";

export function specOfKey(key: string): ResourceSpec | undefined {
  const resourceType = findResourceType(key);
  if (resourceType?.group === undefined) return resourceType?.item;
  const isItem = resourceType.layout === "folder" ? key.split("/").length > 2 : key.includes("#");
  return isItem ? resourceType.item : resourceType.group;
}

/** Returns the group's key for an item's key; undefined for any other key. */
export function groupKeyOf(key: string): string | undefined {
  const resourceType = findResourceType(key);
  if (resourceType?.group === undefined || specOfKey(key) !== resourceType.item) return undefined;
  return resourceType.layout === "folder" ? key.slice(0, key.lastIndexOf("/")) : key.split("#")[0];
}

export interface Move {
  from: string;
  to: string;
}

interface MoveInput {
  unbound: readonly ConfigObject[];
  /** Lock entries without a file. Their resources still exist. */
  leftover: readonly LockLine[];
  moved: readonly Move[];
  references: References;
}

/**
 * Finds resources whose key changed because their file was moved.
 * @returns `unclear`: files that might have been moved, because a lock entry of the same type has no file
 */
export function findMoves({ unbound, leftover, moved, references }: MoveInput): {
  moves: Move[];
  unclear: ConfigObject[];
} {
  const moves: Move[] = [];
  const open = new Map(unbound.map((object) => [object.key, object]));
  const left = new Map(leftover.map((line) => [line.key, line]));
  const take = (from: string, to: string) => {
    if (!left.delete(from) || !open.delete(to)) return;
    moves.push({ from, to });
    // The items of a group move together with the group.
    for (const inner of [...left.keys()])
      if (groupKeyOf(inner) === from && open.has(`${to}${inner.slice(from.length)}`))
        take(inner, `${to}${inner.slice(from.length)}`);
  };
  for (const { from, to } of moved) if (isSameSpec(left.get(from), open.get(to))) take(from, to);
  const hashes = new Map([...open.values()].map((object) => [object.key, fileHashes(object, references)]));
  const pairs = (isAlike: (line: LockLine, object: ConfigObject) => boolean) => {
    for (const line of [...left.values()]) {
      if (!left.has(line.key)) continue;
      const alike = [...open.values()].filter((object) => isSameSpec(line, object) && isAlike(line, object));
      const [object, ...moreObjects] = alike;
      if (object === undefined || moreObjects.length > 0) continue;
      const rivals = [...left.values()].filter(
        (candidate) => isSameSpec(candidate, object) && isAlike(candidate, object),
      );
      if (rivals.length === 1) take(line.key, object.key);
    }
  };
  pairs((line, object) => hasContent(line, hashes.get(object.key)));
  pairs((line, object) => isNamed(line, object));
  const unclear = [...open.values()].filter((object) =>
    [...left.values()].some((line) => isSameSpec(line, object)),
  );
  return { moves, unclear };
}

function isSameSpec(line: LockLine | undefined, object: ConfigObject | undefined): boolean {
  return line !== undefined && object !== undefined && specOfKey(line.key) === object.spec;
}

function hasContent(line: LockLine, hashes: ReadonlyMap<string, string> | undefined): boolean {
  if (hashes === undefined) return false;
  const applied = appliedOf(line);
  const names = [...new Set([...applied.keys(), ...hashes.keys()])].filter((field) => field !== groupField);
  return names.length > 0 && names.every((field) => applied.get(field)?.sent === hashes.get(field));
}

function isNamed(line: LockLine, object: ConfigObject): boolean {
  const sent = appliedOf(line).get(object.spec.nameField)?.sent;
  return sent !== undefined && sent === hashOf(canonical("name", object.fields.get(object.spec.nameField)));
}

/**
 * Live resources with the same name as a file's resource. If `isExact` is false, the names are equal only
 * after normalization.
 */
export interface Namesakes {
  ids: readonly string[];
  isExact: boolean;
}

export function indexByName(
  spec: ResourceSpec,
  records: ReadonlyMap<string, LiveRecord>,
  isBound: (id: string) => boolean,
): (name: string, groupId: string | undefined) => Namesakes {
  const [exact, alike] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const type = spec.fixed?.["type"];
  for (const [id, record] of records) {
    if (isBound(id) || (type !== undefined && record["type"] !== type)) continue;
    const name = liveNameOf(spec, record);
    addTo(exact, slotOf(canonical("name", name), record["group_id"]), id);
    addTo(alike, slotOf(normalizedText(name), record["group_id"]), id);
  }
  return (name, groupId) => {
    if (canonical("name", name) === "null") return { ids: [], isExact: true };
    const same = exact.get(slotOf(canonical("name", name), groupId));
    if (same !== undefined) return { ids: same, isExact: true };
    return { ids: alike.get(slotOf(normalizedText(name), groupId)) ?? [], isExact: false };
  };
}

function slotOf(name: string, groupId: unknown): string {
  return `${typeof groupId === "string" ? groupId : ""} ${name}`;
}
