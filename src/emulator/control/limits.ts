import type { Row } from "../../base/database.js";
import type { limits } from "../../contract/control/limits.js";
import { type Bucket, buckets } from "../../contract/limits.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { type Key, type KeyType, toKey } from "../kernel/keys.js";
import type { ControlHandlers } from "./handlers.js";

/** MCP's buckets are listed only if the key has used them. */
const bucketsByKeyType: Readonly<Record<KeyType, readonly Bucket[]>> = {
  public: ["read", "write", "outbound_trigger"],
  oauth: [],
  legacy: ["legacy"],
  distributor: ["distributor"],
};

/** MCP's own counters, `mcp_read` and `mcp_write`, use the buckets `read` and `write`. */
function findBucket(counter: string): Bucket | undefined {
  const name = counter.replace(/^mcp_/, "");
  let bucket: Bucket;
  for (bucket in buckets) if (bucket === name) return bucket;
  return undefined;
}

interface Holder {
  holder: "key" | "organization";
  holder_id: string;
  name: string;
  kind: string;
}

function show(
  state: EmulatorState,
  holder: Holder,
  counter: string,
  limits: Key["limits"],
  window: Row | undefined,
) {
  const bucket = findBucket(counter);
  if (bucket === undefined) return [];
  const now = state.clock.now();
  const limit = state.limiter.findLimit(bucket, limits);
  const endsAt = window && Number(window["started_at"]) + buckets[bucket].windowSeconds * 1000;
  const isOpen = endsAt !== undefined && now < endsAt;
  return [
    {
      ...holder,
      bucket: counter,
      window_seconds: buckets[bucket].windowSeconds,
      limit,
      remaining: isOpen ? Math.max(0, limit - Number(window?.["count"])) : limit,
      resets_at: isOpen ? isoTime(endsAt) : null,
    },
  ];
}

export const limitHandlers: ControlHandlers<typeof limits> = {
  "limits.list": ({ state }) => {
    const { database } = state;
    const windows = new Map<string, Map<string, Row>>();
    for (const row of database.prepare("SELECT * FROM windows ORDER BY scope, bucket").all()) {
      const scope = String(row["scope"]);
      const ofScope = windows.get(scope) ?? new Map<string, Row>();
      windows.set(scope, ofScope.set(String(row["bucket"]), row));
    }
    const showHolder = (holder: Holder, own: readonly string[], limits: Key["limits"]) => {
      const used = windows.get(holder.holder_id) ?? new Map<string, Row>();
      return [...new Set([...own, ...used.keys()])].flatMap((counter) =>
        show(state, holder, counter, limits, used.get(counter)),
      );
    };
    const ofKeys = database
      .prepare("SELECT * FROM keys ORDER BY id")
      .all()
      .map(toKey)
      .flatMap(({ id, name, kind, limits }) =>
        showHolder({ holder: "key", holder_id: id, name, kind }, bucketsByKeyType[kind], limits),
      );
    // MCP also has a limit for each organization (public.limits.4).
    const ofOrganizations = database
      .prepare("SELECT id, name FROM organizations WHERE id IN (SELECT scope FROM windows) ORDER BY id")
      .all()
      .flatMap(({ id, name }) =>
        showHolder(
          { holder: "organization", holder_id: String(id), name: String(name), kind: "organization" },
          [],
          null,
        ),
      );
    return [...ofKeys, ...ofOrganizations];
  },
};
