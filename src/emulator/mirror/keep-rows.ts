import { hash } from "node:crypto";
import { ExactNumber, parseExactJson, stringifyExactJson } from "../../base/exact-json.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { EmulatorState } from "../emulator-state.js";
import { invalid } from "../refusal.js";
import type { RawRecord } from "./conversions.js";
import { sealText, unsealText } from "./sealed.js";

export interface Rows {
  resource: MirrorResource;
  /** Several lists may return the same resource. */
  list: string;
  pass: number;
  rows: readonly RawRecord[];
  cursor: string | null;
  done: boolean;
  /** Whether the rows were read by ID because the list doesn't return them. */
  hidden: boolean;
  /** Stored in the same transaction as the rows. */
  progress: unknown;
}

export interface Stored {
  changed: number;
  signs: number;
}

export interface StoredRows extends Stored {
  repeated: number;
}

/** Number of hexadecimal digits in a hash. */
const hashLength = 32;

interface Keeping {
  write(raw: RawRecord, isNew: boolean): string | undefined;
  written?(changed: readonly RawRecord[]): void;
  shown?(id: string): string | undefined;
}

/**
 * Stores a page's rows together with the list's cursor and the collector's counters.
 * @throws Refusal validation_failed for a row without an ID
 */
export function keepRows(
  state: EmulatorState,
  input: Rows & { wantsDetail: boolean },
  keeping: Keeping,
): StoredRows {
  const { database } = state;
  const { resource, list, pass } = input;
  const stored: StoredRows = { changed: 0, signs: input.hidden ? input.rows.length : 0, repeated: 0 };
  const add = database.prepare(
    "INSERT INTO mirrored (raw, hash, shown, pass, wants_detail, resource, id) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const replace = database.prepare(
    "UPDATE mirrored SET raw = ?, hash = ?, shown = ?, pass = ?, wants_detail = ? WHERE resource = ? AND id = ?",
  );
  const seal = (text: string) => sealText(state.options, resource, text);
  const page = input.rows.map((raw) => {
    const text = stringifyExactJson(raw);
    return { id: readId(raw, resource), raw, text, hash: hash("sha256", text, "hex").slice(0, hashLength) };
  });
  // In the first pass, there are no stored rows to compare with.
  const unchanged = pass === 1 ? new Set<string>() : touchUnchanged(state, resource, pass, page);
  const remainingRows = page.filter(({ id }) => !unchanged.delete(id));
  const known = findKnownRows(state, resource, remainingRows);
  const changed: RawRecord[] = [];
  /**
   * New resources that the tables show in exactly the source's form. One statement stores all of them,
   * because most resources are like this.
   */
  let fresh: PageRow[] = [];
  const detail = input.wantsDetail ? 1 : 0;
  const keepFresh = () => {
    addRows(state, { resource, pass, detail }, fresh);
    fresh = [];
  };
  for (const { id, raw, text, hash } of remainingRows) {
    const before = known.get(id);
    known.set(id, { hash, pass });
    // The list returned this row twice in one pass. Perhaps its pages are based on offsets, so that rows move
    // from page to page.
    if (before?.pass === pass) {
      stored.signs += 1;
      stored.repeated += 1;
    }
    if (before?.hash === hash) continue;
    // The page might contain a new resource twice. Store the new resources now, so that this row can replace
    // the resource's first row.
    if (before) keepFresh();
    if (before && isSilentChange(readPreviousRecord(state, resource, id, keeping), raw)) stored.signs += 1;
    stored.changed += 1;
    const shown = keeping.write(raw, before === undefined);
    const isSame = shown === text;
    const [rawText, shownText] = [isSame ? null : seal(text), isSame || !shown ? null : seal(shown)];
    if (isSame && !before) fresh.push({ id, hash });
    else (before ? replace : add).run(rawText, hash, shownText, pass, detail, resource, id);
    changed.push(raw);
  }
  keepFresh();
  keeping.written?.(changed);
  database
    .prepare(
      `INSERT INTO mirror_lists (name, resource, pass, cursor, done, rows) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET rows = excluded.rows + CASE WHEN pass = excluded.pass THEN rows ELSE 0 END,
         pass = excluded.pass, cursor = excluded.cursor, done = excluded.done`,
    )
    .run(list, resource, pass, input.cursor, input.done ? 1 : 0, input.rows.length);
  countChanges(state, pass, stored, input.progress);
  return stored;
}

interface PageRow {
  id: string;
  hash: string;
}

/** Stores only the ID and hash of new resources, because the tables contain everything else. */
function addRows(
  { database }: EmulatorState,
  { resource, pass, detail }: { resource: MirrorResource; pass: number; detail: number },
  rows: readonly PageRow[],
): void {
  if (rows.length === 0) return;
  database
    .prepare(
      `INSERT INTO mirrored (hash, id, pass, wants_detail, resource)
       SELECT substr(value, 1, ${hashLength}), substr(value, ${hashLength + 1}), ?, ?, ? FROM json_each(?)`,
    )
    .run(pass, detail, resource, JSON.stringify(rows.map(({ id, hash }) => hash + id)));
}

/**
 * Returns the IDs of unchanged resources, except those that this pass has already marked. Uses one statement,
 * because passes spend most of their time here.
 */
function touchUnchanged(
  { database }: EmulatorState,
  resource: MirrorResource,
  pass: number,
  page: readonly PageRow[],
): Set<string> {
  const marked = database
    .prepare(
      // A hash covers the resource's ID, so two resources never have the same hash.
      `UPDATE mirrored SET pass = ?1 WHERE resource = ?2 AND id IN (SELECT value FROM json_each(?3))
         AND hash IN (SELECT value FROM json_each(?4)) AND pass <> ?1 RETURNING id`,
    )
    .all(
      pass,
      resource,
      JSON.stringify(page.map(({ id }) => id)),
      JSON.stringify(page.map(({ hash }) => hash)),
    );
  return new Set(marked.map(({ id }) => String(id)));
}

function findKnownRows(
  { database }: EmulatorState,
  resource: MirrorResource,
  page: readonly PageRow[],
): Map<string, { hash: string; pass: number }> {
  const rows = database
    .prepare(
      "SELECT id, hash, pass FROM mirrored WHERE resource = ? AND id IN (SELECT value FROM json_each(?))",
    )
    .all(resource, JSON.stringify(page.map(({ id }) => id)));
  return new Map(rows.map(({ id, hash, pass }) => [String(id), { hash: String(hash), pass: Number(pass) }]));
}

export function countChanges(
  state: EmulatorState,
  pass: number,
  { changed, signs }: Stored,
  progress: unknown,
): void {
  state.database
    .prepare(
      `INSERT INTO mirror_passes (pass, changed, signs) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET changed = changed + excluded.changed, signs = signs + excluded.signs`,
    )
    .run(pass, changed, signs);
  state.database.prepare("UPDATE mirror SET progress = ?").run(JSON.stringify(progress));
}

/** Names under which different deployments return an organization's ID. */
const organizationIds = ["id", "organizationId", "organization_id"];

/**
 * IDs in the distributor API can be numbers.
 * @throws Refusal validation_failed
 */
export function readId(raw: RawRecord, resource?: MirrorResource): string {
  const names = resource === "orgs" ? organizationIds : ["id"];
  const id = names.map((name) => toIdText(raw[name])).find((text) => text !== null);
  if (id !== undefined && id !== null) return id;
  throw invalid("emulator.control", [{ path: ["rows"], message: "each row requires an id" }]);
}

export function toIdText(value: unknown): string | null {
  if (typeof value === "number" || value instanceof ExactNumber) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns an empty object if the resource can't be decrypted. */
export function readStoredRecord(
  { options }: EmulatorState,
  resource: MirrorResource,
  stored: unknown,
): RawRecord {
  const value = parseExactJson(unsealText(options, resource, String(stored)) ?? "{}");
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function readPreviousRecord(
  state: EmulatorState,
  resource: MirrorResource,
  id: string,
  { shown }: Keeping,
): RawRecord {
  const row = state.database
    .prepare("SELECT raw FROM mirrored WHERE resource = ? AND id = ?")
    .get(resource, id);
  return readStoredRecord(state, resource, row?.["raw"] ?? shown?.(id) ?? "{}");
}

/** Fields that the service changes without updating `updated_at`. */
const volatileFields = ["sync_status", "rating"];

/** Returns whether a resource changed although its `updated_at` did not. */
function isSilentChange(old: RawRecord, raw: RawRecord): boolean {
  if (raw["updated_at"] === undefined || old["updated_at"] !== raw["updated_at"]) return false;
  const formatStableFields = (record: RawRecord) =>
    JSON.stringify(Object.entries(record).filter(([name]) => !volatileFields.includes(name)));
  return formatStableFields(old) !== formatStableFields(raw);
}
