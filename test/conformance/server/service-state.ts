import { createHash } from "node:crypto";
import type { Behavior } from "./behavior.js";
import type { Fields } from "./exchange.js";

/** A resource of the service with its history: a lagging list shows an earlier state. */
export interface Row {
  readonly id: string;
  /** Position in the order of creation. */
  readonly number: number;
  /** `client`, or the name of another author. */
  readonly author: string;
  readonly createdAt: number;
  versions: { at: number; fields: Fields; by: string }[];
  deletedAt: number | undefined;
  deletedBy: string | undefined;
}

export interface Setting {
  behavior: Behavior;
  /** Correct time, in milliseconds since the epoch. */
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
  /** Delay of lists and late effects. */
  lagMilliseconds: number;
  /** Factor by which windows, outages and life cycles are faster than real ones. */
  speed: number;
}

/** Creation time of the initial resources, old enough to appear in lists. */
export const longAgo = Date.UTC(2026, 0, 1);

export interface ServiceState {
  rows(resource: string): Row[];
  /** Includes deleted rows, which a lagging list still shows. */
  everRows(resource: string): Row[];
  get(resource: string, id: string): Row | undefined;
  /** @param at the creation time; now by default */
  insert(resource: string, fields: Fields, author: string, at?: number): Row;
  /** @param by the author; the client by default */
  change(row: Row, fields: Fields, by?: string): void;
  remove(row: Row, by?: string): void;
  /** Returns all resources for comparison: by type and ID, without fields that change without a write. */
  contents(): Record<string, Record<string, Fields>>;
}

export function createServiceState({ behavior, now }: Setting): ServiceState {
  const rowsByResource = new Map<string, Map<string, Row>>();
  let created = 0;
  const rowsOf = (resource: string) => {
    const rows = rowsByResource.get(resource) ?? new Map<string, Row>();
    rowsByResource.set(resource, rows);
    return rows;
  };
  return {
    rows: (resource) => [...rowsOf(resource).values()].filter((row) => row.deletedAt === undefined),
    everRows: (resource) => [...rowsOf(resource).values()],
    get(resource, id) {
      const row = rowsOf(resource).get(id);
      return row?.deletedAt === undefined ? row : undefined;
    },
    insert(resource, fields, author, at = now()) {
      created += 1;
      const row: Row = {
        id: createId(resource, created, behavior),
        number: created,
        author,
        createdAt: at,
        versions: [{ at, fields, by: author }],
        deletedAt: undefined,
        deletedBy: undefined,
      };
      rowsOf(resource).set(row.id, row);
      return row;
    },
    change(row, fields, by = "client") {
      row.versions.push({ at: now(), fields: { ...fieldsOf(row), ...fields }, by });
    },
    remove(row, by = "client") {
      row.deletedAt = now();
      row.deletedBy = by;
    },
    contents() {
      const all: Record<string, Record<string, Fields>> = {};
      for (const [resource, rows] of rowsByResource) {
        const existing = [...rows.values()].filter((row) => row.deletedAt === undefined);
        if (existing.length > 0)
          all[resource] = Object.fromEntries(existing.map((row) => [row.id, fieldsOf(row)]));
      }
      return all;
    },
  };
}

export function fieldsOf(row: Row): Fields {
  return row.versions.at(-1)?.fields ?? {};
}

/**
 * Creates an ID. IDs in hexadecimal digits are in no particular order, which the documents allow
 * (public.general.7).
 */
function createId(resource: string, count: number, { idForm }: Behavior): string {
  if (resource === "organizations" && idForm === "number") return String(410_000 + 17 * count);
  if (resource === "organizations" && idForm === "number beyond 2^53")
    return String(9_007_199_254_740_993n + BigInt(2 * count));
  return createHash("sha256").update(`${resource} ${count}`).digest("hex").slice(0, 24);
}
