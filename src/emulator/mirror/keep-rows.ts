import { createHash } from "node:crypto";
import type { MirrorResource } from "../../contract/mirror.js";
import { invalid } from "../refusal.js";
import type { World } from "../world.js";
import type { RawThing } from "./copied-resources.js";
import { openedText, sealedText } from "./sealed.js";

/** A page of a list, or things that were read by their ids. */
export interface Rows {
  resource: MirrorResource;
  /** The list that they came by: a resource may be read by several. */
  list: string;
  pass: number;
  rows: readonly RawThing[];
  /** Where the list goes on; null at its end, or where it begins. */
  cursor: string | null;
  done: boolean;
  /** They were read by their ids, since no list showed them: T7. */
  hidden: boolean;
  /** Kept with the rows: they are counted exactly as often as they are stored. */
  progress: unknown;
}

/** The result of keeping a page. */
export interface Stored {
  changed: number;
  signs: number;
}

/** The handlers of rows that are not only kept as they came. */
interface Keeping {
  /** One that is new or differs, into the world's own tables. */
  write(raw: RawThing): void;
  /** All of those. */
  written(changed: readonly RawThing[]): void;
}

/**
 * M5: one page's rows, the place where its list goes on and the collector's counters, in the call's own transaction.
 * @throws Refusal validation_failed for a row without an id
 */
export function keepRows(
  world: World,
  input: Rows & { wantsDetail: boolean },
  { write, written }: Keeping,
): Stored {
  const { database } = world;
  const { resource, list, pass } = input;
  const stored: Stored = { changed: 0, signs: input.hidden ? input.rows.length : 0 };
  const known = database.prepare("SELECT raw, hash, pass FROM mirrored WHERE resource = ? AND id = ?");
  const seen = database.prepare("UPDATE mirrored SET pass = ? WHERE resource = ? AND id = ?");
  const keep = database.prepare(
    `INSERT INTO mirrored (resource, id, raw, hash, pass, wants_detail) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET raw = excluded.raw, hash = excluded.hash, pass = excluded.pass,
       wants_detail = excluded.wants_detail`,
  );
  const changed: RawThing[] = [];
  for (const raw of input.rows) {
    const id = idOf(raw);
    const text = JSON.stringify(raw);
    const hash = hashOf(text);
    const before = known.get(resource, id);
    // T7: a row that comes twice says that pages are positions.
    if (before?.["pass"] === pass) stored.signs += 1;
    if (before?.["hash"] === hash) {
      seen.run(pass, resource, id);
      continue;
    }
    if (before && isSilentChange(storedThing(world, resource, before["raw"]), raw)) stored.signs += 1;
    stored.changed += 1;
    keep.run(resource, id, sealedText(world.options, resource, text), hash, pass, input.wantsDetail ? 1 : 0);
    write(raw);
    changed.push(raw);
  }
  written(changed);
  database
    .prepare(
      `INSERT INTO mirror_lists (name, resource, pass, cursor, done, rows) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET rows = excluded.rows + CASE WHEN pass = excluded.pass THEN rows ELSE 0 END,
         pass = excluded.pass, cursor = excluded.cursor, done = excluded.done`,
    )
    .run(list, resource, pass, input.cursor, input.done ? 1 : 0, input.rows.length);
  countChanges(world, pass, stored, input.progress);
  return stored;
}

/** Counts what came, with the collector's own counters. */
export function countChanges(
  world: World,
  pass: number,
  { changed, signs }: Stored,
  progress: unknown,
): void {
  world.database
    .prepare(
      `INSERT INTO mirror_passes (pass, changed, signs) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET changed = changed + excluded.changed, signs = signs + excluded.signs`,
    )
    .run(pass, changed, signs);
  world.database.prepare("UPDATE mirror SET progress = ?").run(JSON.stringify(progress));
}

/** @throws Refusal validation_failed */
export function idOf(raw: RawThing): string {
  const { id } = raw;
  if (typeof id === "string" && id !== "") return id;
  throw invalid("emulator.control", [{ path: ["rows"], message: "each needs an id" }]);
}

/** A thing as the source showed it when it was stored. */
export function storedThing({ options }: World, resource: MirrorResource, stored: unknown): RawThing {
  const value: unknown = JSON.parse(openedText(options, resource, String(stored)) ?? "{}");
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Fields that the service changes by itself, and that no `updated_at` tells of. */
const restless = ["sync_status", "rating"];

/** Did a thing change though it says that it did not? */
function isSilentChange(old: RawThing, raw: RawThing): boolean {
  if (raw["updated_at"] === undefined || old["updated_at"] !== raw["updated_at"]) return false;
  const rest = (thing: RawThing) =>
    JSON.stringify(Object.entries(thing).filter(([name]) => !restless.includes(name)));
  return rest(old) !== rest(raw);
}
