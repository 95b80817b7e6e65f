/** Orders writes so that a unique name is free before another resource gets it. Pure. */
import { normalizedText } from "../../write/fields.js";
import { canonical, hashOf } from "./canonical.js";
import { liveNameOf } from "./codec.js";
import { ConfigError } from "./errors.js";
import type { Live, LiveRecord } from "./live.js";
import type { ResourceSpec } from "./resource-types/resource-type.js";

/** `name` is the resource's name after the write. */
export interface NamedOp<T> {
  op: T;
  /** Undefined for a create. */
  id: string | undefined;
  name: string;
  takesName: boolean;
}

/** A resource that the plan deletes in its last steps. */
export interface DeletedResource {
  spec: ResourceSpec;
  id: string;
  record: LiveRecord;
}

type Ordered<T> =
  | { op: T; isRenamedBefore: boolean }
  /** A rename to a temporary name. */
  | { rename: { id: string; record: LiveRecord; name: string }; isFirst: boolean };

interface Names {
  spec: ResourceSpec;
  live: Live;
  deletions: readonly DeletedResource[];
}

const uniqueResources = ["groups", "calendars", "tools"];

/** Names count as equal if their normalized forms are equal. */
class Holders {
  readonly #byName = new Map<string, Map<string, string>>();
  readonly #names = new Map<string, string>();

  take(id: string, name: string): void {
    this.drop(id);
    const existing = this.#byName.get(normalizedText(name)) ?? new Map<string, string>();
    this.#byName.set(normalizedText(name), existing.set(id, canonical("name", name)));
    this.#names.set(id, normalizedText(name));
  }

  drop(id: string): void {
    this.#byName.get(this.#names.get(id) ?? "")?.delete(id);
  }

  has(name: string): boolean {
    return (this.#byName.get(normalizedText(name))?.size ?? 0) > 0;
  }

  /**
   * Returns the resource that blocks a name: the resource that has this name or, if none has it, a resource
   * with a similar name that the plan will free.
   */
  findOther(name: string, own: string | undefined, givesUp: (id: string) => boolean): string | undefined {
    const otherHolders = [...(this.#byName.get(normalizedText(name)) ?? [])].filter(([id]) => id !== own);
    const [exactHolder] = otherHolders.find(([, held]) => held === canonical("name", name)) ?? [];
    return exactHolder ?? otherHolders.find(([id]) => givesUp(id))?.[0];
  }
}

/**
 * Orders the writes for one resource type so that no name is used twice. If resources exchange names, or a
 * name is freed too late, first gives a resource a temporary name.
 * @throws ConfigError if a resource that the plan neither renames nor deletes has a name that the plan needs
 */
export function orderByName<T>(ops: readonly NamedOp<T>[], { spec, live, deletions }: Names): Ordered<T>[] {
  if (!uniqueResources.includes(spec.resource)) return ops.map(({ op }) => ({ op, isRenamedBefore: false }));
  const type = spec.fixed?.["type"];
  const holders = new Holders();
  for (const [id, record] of live.records(spec.resource))
    if (type === undefined || record["type"] === type) holders.take(id, liveNameOf(spec, record));
  const ordered: Ordered<T>[] = [];
  const renamed = new Set<string>();
  const giveUp = (id: string) => {
    const record = live.records(spec.resource).get(id) ?? {};
    const name = nameBetween(liveNameOf(spec, record), id, holders);
    holders.take(id, name);
    ordered.push({ rename: { id, record, name }, isFirst: true });
    renamed.add(id);
  };
  const open = [...ops];
  const givesUp = new Set([
    ...deletions.map(({ id }) => id),
    ...ops.flatMap(({ id, takesName }) => (id !== undefined && takesName ? [id] : [])),
  ]);
  const findBlocker = ({ id, name }: NamedOp<T>) =>
    holders.findOther(name, id, (holder) => givesUp.has(holder));
  while (open.length > 0) {
    const index = open.findIndex((candidate) => !candidate.takesName || findBlocker(candidate) === undefined);
    const [chosen] = index === -1 ? [] : open.splice(index, 1);
    if (chosen !== undefined) {
      const { op, id, name, takesName } = chosen;
      if (takesName) holders.take(id ?? "", name);
      if (id !== undefined) givesUp.delete(id);
      ordered.push({ op, isRenamedBefore: id !== undefined && renamed.has(id) });
      continue;
    }
    const [blocked] = open;
    const holder = blocked === undefined ? "" : (findBlocker(blocked) ?? "");
    if (!givesUp.has(holder) || renamed.has(holder)) {
      throw new ConfigError(
        "config_refused",
        `the name "${blocked?.name}" already belongs to ${spec.resource}/${holder}, which this plan doesn't rename`,
        "rename that resource first, or use another name",
      );
    }
    giveUp(holder);
  }
  return ordered;
}

/** Returns an unused temporary name that the service accepts. For example, a tool's name has no spaces. */
function nameBetween(name: string, id: string, holders: Holders): string {
  for (let number = 0; ; number += 1) {
    const between = `${name.slice(0, 180)}_old_${hashOf(`${id} ${number}`).slice(0, 6)}`;
    if (!holders.has(between)) return between;
  }
}
