/** A4: names that the service keeps unique are given up before another thing takes them. Pure. */
import { normalizedText } from "../bulk/fields.js";
import { canonical, hashOf } from "./canonical.js";
import { liveNameOf } from "./codec.js";
import { ConfigError } from "./errors.js";
import type { Live, LiveRecord } from "./live.js";
import type { ResourceSpec } from "./resource-types/resource-type.js";

/** A write, with the name that its thing has afterwards. */
export interface NamedOp<T> {
  op: T;
  /** Undefined of a create. */
  id: string | undefined;
  name: string;
  takesName: boolean;
}

/** A thing that the plan deletes at its end. */
export interface DeletedResource {
  spec: ResourceSpec;
  id: string;
  record: LiveRecord;
}

type Ordered<T> =
  | { op: T; isRenamedBefore: boolean }
  /** A name in between. */
  | { rename: { id: string; record: LiveRecord; name: string }; isFirst: boolean };

interface Names {
  spec: ResourceSpec;
  live: Live;
  deletions: readonly DeletedResource[];
}

const uniqueResources = ["groups", "calendars", "tools"];

/** Who has which name now. A name that a service may take for the same is asked for, too (T3). */
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

  /** The other thing that stands in the way: whose name is this one, or, of those that give theirs up, a like one. */
  findOther(name: string, own: string | undefined, givesUp: (id: string) => boolean): string | undefined {
    const otherHolders = [...(this.#byName.get(normalizedText(name)) ?? [])].filter(([id]) => id !== own);
    const [exactHolder] = otherHolders.find(([, held]) => held === canonical("name", name)) ?? [];
    return exactHolder ?? otherHolders.find(([id]) => givesUp(id))?.[0];
  }
}

/**
 * Writes of one resource in an order in which no name is taken twice. In a circle, and where a thing that is deleted
 * later has a name still, the holder gets a name in between.
 * @throws ConfigError for a name that a thing outside the project has
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
        `the name "${blocked?.name}" is that of ${spec.resource}/${holder}, which stays as it is; nothing was sent`,
        "rename that one first, or choose another name",
      );
    }
    giveUp(holder);
  }
  return ordered;
}

/** As long and of the same letters as the service takes: a tool's name has no spaces. */
function nameBetween(name: string, id: string, holders: Holders): string {
  for (let number = 0; ; number += 1) {
    const between = `${name.slice(0, 180)}_old_${hashOf(`${id} ${number}`).slice(0, 6)}`;
    if (!holders.has(between)) return between;
  }
}
