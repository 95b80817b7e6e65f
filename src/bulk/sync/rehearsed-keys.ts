/** The map of keys that a rehearsed synchronization wrote, as the plan of its effect passes it on (R2a). */
import { isSame } from "../fields.js";
import type { FileRow, PlanKeys } from "../plan/format.js";
import type { RehearsedKeys, ThingSteps } from "../plan/rehearsed-steps.js";
import type { StateHeader, StateRow, StateTable } from "./state.js";

/** A map before a rehearsal and after it. */
interface RehearsedMap {
  before: StateTable;
  after: StateTable;
  /** The user's own file, relative to a directory; undefined: in the data folder. */
  file: { given: string; directory: string } | undefined;
}

/** Returns whether two maps have the same content. */
export function isSameMap(one: StateTable, two: StateTable): boolean {
  if (JSON.stringify(one.header()) !== JSON.stringify(two.header())) return false;
  const rest = two.all();
  for (const row of one.all()) {
    const next = rest.next();
    if (next.done || JSON.stringify(row) !== JSON.stringify(next.value)) return false;
  }
  return rest.next().done === true;
}

/**
 * Returns the map's part of the plan: its header, the keys of the steps, and the rows with the step that each waits for.
 * @param things the steps of each thing, by its id in the rehearsal
 */
export function keysOfRehearsal(
  { before, after, file }: RehearsedMap,
  things: ReadonlyMap<string, ThingSteps>,
): { header: PlanKeys; keys: RehearsedKeys } | undefined {
  const header = after.header();
  if (header === undefined) return undefined;
  const created = things.get(header.group_id)?.created;
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
        for (const row of after.all()) yield toFileRow(row, before, things);
      },
    },
  };
}

function fileFacts({ rows, invalid, line_end }: StateHeader): PlanKeys["file"] {
  return { rows, invalid, line_end };
}

function toFileRow(
  { position, key, id, digest, sent, answer, written }: StateRow,
  before: StateTable,
  things: ReadonlyMap<string, ThingSteps>,
): FileRow {
  const steps = id === null ? undefined : things.get(id);
  const row: FileRow = {
    row: position,
    ...(key === null ? {} : { key }),
    ...(digest === null ? {} : { digest }),
    // An id that the rehearsal assigned means nothing to the service.
    ...(id === null || steps?.created !== undefined ? {} : { id }),
  };
  if (steps !== undefined) return { ...row, of_step: steps.last, sent };
  const former = id === null ? undefined : before.byId(id);
  return {
    ...row,
    ...(isSame(former?.sent, sent) ? {} : { sent }),
    ...(isSame(former?.answer, answer) ? {} : { answer }),
    ...(former?.written === written ? {} : { written }),
  };
}
