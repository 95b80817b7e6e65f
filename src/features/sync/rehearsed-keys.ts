import type { FileRow, PlanKeys } from "../../write/plan/format.js";
import type { RehearsedKeys, ResourceSteps } from "../../write/plan/rehearsed-steps.js";
import { type KeyMap, type KeyMapHeader, type KeyMapRow, listChanges } from "./key-map.js";

export interface RehearsedMap {
  before: KeyMap;
  after: KeyMap;
  /** The user's key map file; undefined for a key map in the data directory. */
  file: { given: string; directory: string } | undefined;
}

export function isSameMap(left: KeyMap, right: KeyMap): boolean {
  if (JSON.stringify(left.header()) !== JSON.stringify(right.header())) return false;
  const rightRows = right.all();
  for (const row of left.all()) {
    const next = rightRows.next();
    if (next.done || JSON.stringify(row) !== JSON.stringify(next.value)) return false;
  }
  return rightRows.next().done === true;
}

/**
 * A row refers to the last step that writes its contact.
 * @param stepsById steps of each resource, by the resource's ID in the rehearsal
 */
export function keysOfRehearsal(
  { before, after, file }: RehearsedMap,
  stepsById: ReadonlyMap<string, ResourceSteps>,
): { header: PlanKeys; keys: RehearsedKeys } | undefined {
  const header = after.header();
  if (header === undefined) return undefined;
  const created = stepsById.get(header.group_id)?.created;
  const former = before.header();
  return {
    header: {
      group_id: created === undefined ? header.group_id : { $ref: created },
      column: header.key,
      state: file?.given ?? null,
      state_directory: file?.directory ?? null,
      file: fileFacts(header),
      former: former === undefined ? null : fileFacts(former),
      former_at: former?.finished_at ?? null,
    },
    keys: {
      keyOf: (id) => after.byId(id)?.key ?? before.byId(id)?.key ?? undefined,
      *rows() {
        for (const row of after.all()) yield toFileRow(row, before, stepsById);
      },
    },
  };
}

function fileFacts({ rows, invalid, line_end }: KeyMapHeader): PlanKeys["file"] {
  return { rows, invalid, line_end };
}

function toFileRow(
  { position, key, id, digest, sent, answer, written }: KeyMapRow,
  before: KeyMap,
  stepsById: ReadonlyMap<string, ResourceSteps>,
): FileRow {
  const steps = id === null ? undefined : stepsById.get(id);
  const row: FileRow = {
    row: position,
    ...(key === null ? {} : { key }),
    ...(digest === null ? {} : { digest }),
    // Omit IDs from the rehearsal, because the service will assign other IDs.
    ...(id === null || steps?.created !== undefined ? {} : { id }),
  };
  if (steps !== undefined) return { ...row, of_step: steps.last, sent };
  const former = id === null ? undefined : before.byId(id);
  return { ...row, ...listChanges(former, { sent, answer, written }) };
}
