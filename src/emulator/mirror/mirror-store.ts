import type { Database } from "../../base/database.js";
import { parseExactJson } from "../../base/exact-json.js";
import { type Fields, isFields } from "../../base/fields.js";
import { withoutDecisions } from "../../contract/assumed.js";
import { MirrorManifest, type MirrorResource, mirrorResources } from "../../contract/mirror.js";
import type { Operation, Schema } from "../../contract/operation.js";
import { toValues } from "../kernel/json-text.js";
import { anyId, withAnyIds } from "./any-ids.js";
import { unsealText } from "./sealed.js";

interface ReadTarget {
  groupId: string | undefined;
  id: string | undefined;
  isFound: boolean;
}

export class MirrorStore {
  private cached: { isMirror: boolean; manifest: MirrorManifest | undefined; hasOwnIds: boolean } | undefined;
  private contradicted: ReadonlySet<string> = new Set();
  private schemas = new Map<Schema, Schema>();
  private readonly differences = new Map<MirrorResource, boolean>();
  private manifestText: unknown;

  constructor(
    private readonly database: Database,
    private readonly sealing: { readonly fileKey: Buffer },
  ) {}

  reload(): void {
    this.cached = undefined;
  }

  /** Whether the emulator is a mirror, finished or not. */
  get isMirror(): boolean {
    return this.loadMirror().isMirror;
  }

  /** The manifest; undefined if the mirror is unfinished or the emulator is not a mirror. */
  get manifest(): MirrorManifest | undefined {
    return this.loadMirror().manifest;
  }

  /** Returns whether a decision is disabled because the copied data contradicts it. */
  isOff(decision: string): boolean {
    return this.loadMirror().isMirror && this.contradicted.has(decision);
  }

  /** Adds fields that have no column, and keeps values in the source's form until a request changes them. */
  applyMirror(operation: string, handlerResult: unknown): unknown {
    if (!this.isMirror) return handlerResult;
    if (operation === "billing.get") return this.omitFigures(handlerResult);
    const resource = findResource(operation);
    if (resource === undefined || !this.hasDifferences(resource)) return handlerResult;
    const result = toValues(handlerResult);
    const isDetail = operation.endsWith(".get");
    const toShown = (row: unknown): unknown => {
      if (!isFields(row)) return row;
      const { customers } = row;
      const record = this.overlayRecord(resource, row, isDetail);
      return Array.isArray(customers) ? { ...record, customers: customers.map(toShown) } : record;
    };
    if (Array.isArray(result)) return result.map(toShown);
    return isPage(result) ? { ...result, rows: result.rows.map(toShown) } : toShown(result);
  }

  /** Removes the usage from a billing summary: usage is not copied, so all its values would be zero. */
  private omitFigures(result: unknown): unknown {
    if (this.manifest?.surface !== "distributor-v2" || !isFields(result)) return result;
    const { totals: _, organizations: __, ...summary } = result;
    return summary;
  }

  /**
   * Returns a variant of the operation that accepts IDs in the source's format and ignores decisions that the
   * copied data contradicts.
   */
  relaxOperation<T extends Pick<Operation, "query" | "body">>(operation: T): T {
    const { body, query } = operation;
    return {
      ...operation,
      ...(body && { body: this.schemaOf(body) }),
      ...(query && { query: this.schemaOf(query) }),
    };
  }

  /** Schema that accepts any ID; undefined if the source's IDs have the documented format. */
  get parameter(): Schema | undefined {
    return this.loadMirror().hasOwnIds ? anyId() : undefined;
  }

  private schemaOf(schema: Schema): Schema {
    const { manifest, hasOwnIds } = this.loadMirror();
    if (manifest === undefined || (this.contradicted.size === 0 && !hasOwnIds)) return schema;
    const known = this.schemas.get(schema);
    if (known) return known;
    const relaxed = withoutDecisions(schema, this.contradicted);
    const taken = hasOwnIds ? withAnyIds(relaxed) : relaxed;
    this.schemas.set(schema, taken);
    return taken;
  }

  /**
   * Returns a body's first field that exists in the source's resources but not in the contract. A nested field
   * is a path such as `schedules.label`.
   */
  unknownField(operation: string, body: unknown): string | undefined {
    const { manifest } = this.loadMirror();
    const resource = findResource(operation);
    const fields = resource && manifest?.unknown_fields[resource];
    return fields?.find(
      (field) => isFields(body) && (Object.hasOwn(body, field) || hasPath(body, field.split("."))),
    );
  }

  /**
   * Returns the part of the organization that a read requires but the copy doesn't contain; undefined if the
   * copy contains everything that the read requires.
   * @param target for a list, the group in the filter; for a single resource, its ID and whether it was found
   */
  findAbsentArea(operation: string, target: ReadTarget): string | undefined {
    const { manifest } = this.loadMirror();
    if (!manifest) return undefined;
    const { absent, contact_groups, surface: api } = manifest;
    if (api === "distributor-v2") {
      if (operation.startsWith("usage.")) return "usage";
      return operation === "billing.get" && absent.licenses !== undefined ? "licenses" : undefined;
    }
    const calls = absent.calls && "calls";
    if (operation.startsWith("statistics.")) return calls;
    if (target.id !== undefined && target.isFound)
      // The audio of a recording is generated, not copied.
      return operation === "calls.recording.get" && this.holds("calls", target.id) ? "recordings" : undefined;
    const resource = findResource(operation);
    if (resource === undefined || absent[resource] === undefined) return undefined;
    const isCopied = target.groupId !== undefined && contact_groups?.includes(target.groupId);
    return absent[resource] === "other-groups" && isCopied ? undefined : resource;
  }

  countAbsentRead(area: string, groupId: string | undefined): void {
    this.database
      .prepare(
        "INSERT INTO absent_reads (resource, group_id, reads) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET reads = reads + 1",
      )
      .run(area, groupId ?? "");
  }

  /**
   * Returns whether the tables show any resource of this type differently than the source. Cached, because a
   * finished copy doesn't change.
   */
  private hasDifferences(resource: MirrorResource): boolean {
    if (this.manifest === undefined) return true;
    const known = this.differences.get(resource);
    if (known !== undefined) return known;
    const differing = "(shown IS NOT NULL OR shown_detail IS NOT NULL)";
    const differingRow = this.database
      .prepare(`SELECT 1 FROM mirrored WHERE resource = ? AND ${differing} LIMIT 1`)
      .get(resource);
    this.differences.set(resource, differingRow !== undefined);
    return differingRow !== undefined;
  }

  private holds(resource: MirrorResource, id: string): boolean {
    return (
      this.database.prepare("SELECT 1 FROM mirrored WHERE resource = ? AND id = ?").get(resource, id) !==
      undefined
    );
  }

  private overlayRecord(resource: MirrorResource, present: Fields, isDetail: boolean): Fields {
    const row = this.database
      .prepare("SELECT raw, detail, shown, shown_detail FROM mirrored WHERE resource = ? AND id = ?")
      .get(resource, String(present["id"]));
    if (!row) return present;
    const ofDetail = isDetail && row["detail"] !== null;
    const shown = row[ofDetail ? "shown_detail" : "shown"];
    if (shown === null || shown === undefined) return present;
    const opened = (stored: unknown) => unsealText(this.sealing, resource, String(stored));
    const [raw, before] = [opened(row[ofDetail ? "detail" : "raw"]), opened(shown)];
    if (raw === undefined || before === undefined) return present;
    return overlayFields(parseFields(raw), parseFields(before), present);
  }

  private loadMirror() {
    if (this.cached) return this.cached;
    const row = this.database.prepare("SELECT manifest FROM mirror").get();
    const text = row?.["manifest"];
    const manifest = typeof text === "string" ? MirrorManifest().parse(JSON.parse(text)) : undefined;
    this.cached = { isMirror: row !== undefined, manifest, hasOwnIds: this.hasOwnIds(manifest) };
    this.schemas = new Map();
    if (text !== this.manifestText) this.differences.clear();
    this.manifestText = text;
    this.contradicted = new Set(manifest?.contradicted.map(({ decision }) => decision));
    return this.cached;
  }

  private hasOwnIds(manifest: MirrorManifest | undefined): boolean {
    if (manifest?.surface !== "distributor-v2") return false;
    const own =
      "SELECT 1 FROM mirrored WHERE resource = 'orgs' AND (length(id) <> 24 OR id GLOB '*[^0-9a-f]*')";
    return this.database.prepare(`${own} LIMIT 1`).get() !== undefined;
  }
}

/**
 * Returns a copied resource in the source's form, with all changes since the copy.
 * @param raw the resource as the source returned it
 * @param before the form that the API showed when the resource was copied
 * @param present the form that the API shows now
 */
function overlayFields(raw: Fields, before: Fields, present: Fields): Fields {
  const isAsBefore = (name: string) =>
    name in before && JSON.stringify(before[name]) === JSON.stringify(present[name]);
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw))
    result[name] = !(name in present) || isAsBefore(name) ? value : present[name];
  for (const [name, value] of Object.entries(present))
    if (!(name in raw) && !isAsBefore(name)) result[name] = value;
  return result;
}

/** Returns undefined if the operation's resource type is not copied. */
function findResource(operation: string): MirrorResource | undefined {
  // Despite its name, this operation returns an organization.
  const [name] = operation === "licenses.reassign" ? ["orgs"] : operation.split(".");
  return mirrorResources.find((resource) => resource === name);
}

function parseFields(text: string): Fields {
  const value = parseExactJson(text);
  return isFields(value) ? value : {};
}

/** Returns whether a value has this path. For a list, one item with this path is enough. */
function hasPath(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => hasPath(item, [name, ...rest]));
  return isFields(value) && Object.hasOwn(value, name) && hasPath(value[name], rest);
}

function isPage(value: unknown): value is { rows: unknown[] } {
  return isFields(value) && Array.isArray(value["rows"]) && "next" in value;
}
