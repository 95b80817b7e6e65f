/** A4: names that the service keeps unique are given up before another thing takes them. Pure. */
import { canonical, hashOf } from "./canonical.js";
import { liveNameOf } from "./codec.js";
import { ConfigError } from "./errors.js";
import type { ThingSpec } from "./kinds/kind.js";
import type { Live, LiveRecord } from "./live.js";

/** A write, with the name that its thing has afterwards. */
export interface NamedOp<T> {
  op: T;
  /** Undefined of a create. */
  id: string | undefined;
  name: string;
  takesName: boolean;
}

/** A thing that the plan deletes at its end. */
export interface Doomed {
  spec: ThingSpec;
  id: string;
  record: LiveRecord;
}

type Ordered<T> =
  | { op: T; isRenamedBefore: boolean }
  /** A name in between. */
  | { rename: { id: string; record: LiveRecord; name: string }; isFirst: boolean };

interface Names {
  spec: ThingSpec;
  live: Live;
  doomed: readonly Doomed[];
}

const uniqueResources = ["groups", "calendars", "tools"];

/**
 * Writes of one resource in an order in which no name is taken twice. In a circle, and where a thing that is deleted
 * later has a name still, the holder gets a name in between.
 * @throws ConfigError for a name that a thing outside the project has
 */
export function orderByName<T>(ops: readonly NamedOp<T>[], { spec, live, doomed }: Names): Ordered<T>[] {
  if (!uniqueResources.includes(spec.resource)) return ops.map(({ op }) => ({ op, isRenamedBefore: false }));
  const type = spec.fixed?.["type"];
  const holders = new Map<string, string>();
  for (const [id, record] of live.things(spec.resource))
    if (type === undefined || record["type"] === type)
      holders.set(canonical("name", liveNameOf(spec, record)), id);
  const ordered: Ordered<T>[] = [];
  const renamed = new Set<string>();
  const giveUp = (id: string) => {
    const record = live.things(spec.resource).get(id) ?? {};
    const former = liveNameOf(spec, record);
    const name = nameBetween(former, id, holders);
    holders.delete(canonical("name", former));
    holders.set(canonical("name", name), id);
    ordered.push({ rename: { id, record, name }, isFirst: true });
    renamed.add(id);
  };
  const open = [...ops];
  while (open.length > 0) {
    const index = open.findIndex(({ id, name, takesName }) => {
      const holder = holders.get(canonical("name", name));
      return !takesName || holder === undefined || holder === id;
    });
    const [chosen] = index === -1 ? [] : open.splice(index, 1);
    if (chosen !== undefined) {
      const { op, id, name, takesName } = chosen;
      if (takesName) {
        for (const [held, holder] of holders) if (holder === id) holders.delete(held);
        holders.set(canonical("name", name), id ?? "");
      }
      ordered.push({ op, isRenamedBefore: id !== undefined && renamed.has(id) });
      continue;
    }
    const [blocked] = open;
    const holder = holders.get(canonical("name", blocked?.name ?? "")) ?? "";
    const isOurs =
      doomed.some(({ id }) => id === holder) || open.some(({ id, takesName }) => id === holder && takesName);
    if (!isOurs || renamed.has(holder)) {
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
function nameBetween(name: string, id: string, holders: ReadonlyMap<string, string>): string {
  for (let number = 0; ; number += 1) {
    const between = `${name.slice(0, 180)}_old_${hashOf(`${id} ${number}`).slice(0, 6)}`;
    if (!holders.has(canonical("name", between))) return between;
  }
}
