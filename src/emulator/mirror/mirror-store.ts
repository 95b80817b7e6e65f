import type { Database } from "../../base/database.js";
import { MirrorManifest, type MirrorResource, mirrorResources } from "../../contract/mirror.js";

type Fields = Readonly<Record<string, unknown>>;

/** What a world knows of the organization that it was copied from; read once, and again after a control call. */
export class MirrorStore {
  private cached: { isMirror: boolean; manifest: MirrorManifest | undefined } | undefined;
  private contradicted: ReadonlySet<string> = new Set();

  constructor(private readonly database: Database) {}

  reload(): void {
    this.cached = undefined;
  }

  /** Was the world filled from an organization, or is it being filled? */
  get isMirror(): boolean {
    return this.state().isMirror;
  }

  /** Undefined while it is being filled, and of a world that is no copy. */
  get manifest(): MirrorManifest | undefined {
    return this.state().manifest;
  }

  /** M11: is this decision switched off, since the copied organization breaks it? */
  isOff(decision: string): boolean {
    return this.state().isMirror && this.contradicted.has(decision);
  }

  /**
   * The answer of an operation as the source would show it: with fields that the tables have no column for, and values
   * in the source's own form, until they are changed here (M10, M11).
   */
  asMirrored(operation: string, result: unknown): unknown {
    if (!this.isMirror) return result;
    const [name, action = ""] = operation.split(".");
    const resource = mirrorResources.find((one) => one === name);
    if (resource === undefined) return result;
    const shown = (row: unknown) => (isFields(row) ? this.thing(resource, row, action === "get") : row);
    if (Array.isArray(result)) return result.map(shown);
    return isPage(result) ? { ...result, rows: result.rows.map(shown) } : shown(result);
  }

  private thing(resource: MirrorResource, present: Fields, isDetail: boolean): Fields {
    const row = this.database
      .prepare("SELECT raw, detail, shown, shown_detail FROM mirrored WHERE resource = ? AND id = ?")
      .get(resource, String(present["id"]));
    if (!row) return present;
    const ofDetail = isDetail && row["detail"] !== null;
    const shown = row[ofDetail ? "shown_detail" : "shown"];
    // Its tables show exactly what the source did.
    if (shown === null || shown === undefined) return present;
    return overlaid(fieldsOf(row[ofDetail ? "detail" : "raw"]), fieldsOf(shown), present);
  }

  private state() {
    if (this.cached) return this.cached;
    const row = this.database.prepare("SELECT manifest FROM mirror").get();
    const text = row?.["manifest"];
    const manifest = typeof text === "string" ? MirrorManifest.parse(JSON.parse(text)) : undefined;
    this.cached = { isMirror: row !== undefined, manifest };
    this.contradicted = new Set(manifest?.contradicted.map(({ decision }) => decision));
    return this.cached;
  }
}

/**
 * @param raw the thing as the source showed it
 * @param before what the tables made of that
 * @param present what they show now
 */
function overlaid(raw: Fields, before: Fields, present: Fields): Fields {
  const isAsBefore = (name: string) =>
    name in before && JSON.stringify(before[name]) === JSON.stringify(present[name]);
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw))
    result[name] = !(name in present) || isAsBefore(name) ? value : present[name];
  for (const [name, value] of Object.entries(present))
    if (!(name in raw) && !isAsBefore(name)) result[name] = value;
  return result;
}

function fieldsOf(text: unknown): Fields {
  const value: unknown = JSON.parse(String(text));
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPage(value: unknown): value is { rows: unknown[] } {
  return isFields(value) && Array.isArray(value["rows"]) && "next" in value;
}
