import { stringifyExactJson } from "../../base/exact-json.js";
import { parseTimestamp } from "../../base/time-text.js";
import { ExternalId } from "../../contract/distributor/primitives.js";
import type { MirrorManifest } from "../../contract/mirror.js";
import type { Schema } from "../../contract/operation.js";
import { findOrganization, showOrganization } from "../distributor/organizations.js";
import type { EmulatorState } from "../emulator-state.js";
import { findMirroredDistributor } from "./begin.js";
import type { RawRecord } from "./conversions.js";
import { judgeRecord, judgeText } from "./judge.js";
import { keepRows, type Rows, readId, readStoredRecord, type StoredRows, toIdText } from "./keep-rows.js";

/** MSPs come before their customers, and each license has its owner's ID in `owner`. */
export function storeDistributorRows(
  state: EmulatorState,
  input: Rows & { resource: "orgs" | "licenses" },
  listed: Schema | undefined,
): StoredRows {
  const contract = { listed, shown: undefined, created: undefined };
  return keepRows(
    state,
    { ...input, wantsDetail: false },
    {
      write(raw) {
        if (input.resource === "licenses") {
          writeLicense(state, raw);
          judgeText(state, "licenses", raw, "externalLicenseId", ExternalId);
        } else {
          writeOrganization(state, raw);
          judgeRecord(state, "orgs", raw, contract, "listed");
          judgeText(state, "orgs", raw, "externalOrganizationId", ExternalId);
        }
        // `finishOrganizations` assigns holders later, when all organizations are stored.
        return undefined;
      },
    },
  );
}

function readText(raw: RawRecord, name: string): string | null {
  const value = raw[name];
  return typeof value === "string" && value !== "" ? value : null;
}

function writeOrganization(state: EmulatorState, raw: RawRecord): void {
  const { database } = state;
  const [id, now] = [readId(raw, "orgs"), state.clock.now()];
  const parentId = toIdText(raw["parentOrganizationId"]);
  const externalId = readText(raw, "externalOrganizationId");
  const type = readText(raw, "type") ?? (parentId === null ? "msp" : "customer");
  if (parentId !== null) requireOrganizationRow(state, parentId);
  // If the organization was deleted and created again, the row with its old ID still exists. Free that row's
  // external ID.
  database
    .prepare(
      "UPDATE organizations SET distributor_id = NULL, external_id = NULL WHERE external_id = ? AND id <> ?",
    )
    .run(externalId, id);
  const values = {
    id,
    name: readText(raw, "name") ?? "",
    status: raw["status"] === "blocked" ? "blocked" : "active",
    features: "[]",
    created_at: parseTimestamp(raw["createdAt"]) ?? now,
    updated_at: parseTimestamp(raw["updatedAt"]) ?? now,
    distributor_id: findMirroredDistributor(state),
    type: type === "customer" ? "customer" : "msp",
    parent_id: parentId,
    external_id: externalId,
    blocked_reason: readText(raw, "blockedReason"),
  };
  const names = Object.keys(values);
  database
    .prepare(
      `INSERT INTO organizations (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
       ON CONFLICT(id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    )
    .run(...Object.values(values));
}

/**
 * Inserts an organization that no list contained but to which a resource refers. No request can find it,
 * because it has no distributor.
 */
function requireOrganizationRow({ database }: EmulatorState, id: string): void {
  database
    .prepare(
      `INSERT INTO organizations (id, name, features, created_at, updated_at)
       VALUES (?, '(does not exist)', '[]', 0, 0) ON CONFLICT DO NOTHING`,
    )
    .run(id);
}

function writeLicense(state: EmulatorState, raw: RawRecord): void {
  const owner = readText(raw, "owner") ?? "";
  requireOrganizationRow(state, owner);
  addLicense(state, {
    externalId: readId(raw),
    product: readText(raw, "product"),
    isDisabled: raw["status"] === "disabled",
    owner,
  });
}

function addLicense(
  state: EmulatorState,
  license: { externalId: string; product: string | null; isDisabled: boolean; owner: string },
): void {
  const { database } = state;
  // Copied licenses keep their order, and come before licenses that are created in the mirror.
  const last = database.prepare("SELECT max(id) AS id FROM licenses WHERE id < '00000001'").get()?.["id"];
  const id = (Number.parseInt(String(last ?? "0"), 16) + 1).toString(16).padStart(24, "0");
  const now = state.clock.now();
  database
    .prepare(
      `INSERT INTO licenses (id, distributor_id, external_id, product, status, owner_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (distributor_id, external_id) DO UPDATE
       SET product = excluded.product, status = excluded.status, owner_id = excluded.owner_id, assigned_id = NULL`,
    )
    .run(
      id,
      findMirroredDistributor(state),
      license.externalId,
      license.product,
      license.isDisabled ? "disabled" : "available",
      license.owner,
      now,
      now,
    );
}

export function removeOrganizations({ database }: EmulatorState, ids: readonly string[]): void {
  for (const id of ids) {
    database
      .prepare(
        `UPDATE licenses SET assigned_id = NULL, status = CASE status WHEN 'disabled' THEN status ELSE 'available' END
         WHERE assigned_id = ?`,
      )
      .run(id);
    database
      .prepare("UPDATE organizations SET distributor_id = NULL, external_id = NULL WHERE id = ?")
      .run(id);
  }
}

/**
 * Assigns the copied licenses to their holders. Returns the licenses that an organization holds but that no
 * billing summary lists.
 */
export function finishOrganizations(state: EmulatorState): MirrorManifest["dangling"] {
  const { database } = state;
  const dangling: MirrorManifest["dangling"] = [];
  database.exec(`
    DELETE FROM licenses WHERE external_id NOT IN (SELECT id FROM mirrored WHERE resource = 'licenses');
    UPDATE licenses SET assigned_id = NULL, status = CASE status WHEN 'disabled' THEN status ELSE 'available' END`);
  const organizations = readMirroredRecords(state, "orgs");
  const known = database.prepare("SELECT 1 FROM licenses WHERE external_id = ?");
  const hold = database.prepare(
    `UPDATE licenses SET assigned_id = ?, status = CASE status WHEN 'disabled' THEN status ELSE 'assigned' END
     WHERE external_id = ?`,
  );
  for (const raw of organizations) {
    const [id, license] = [readId(raw, "orgs"), readText(raw, "externalLicenseId")];
    if (license === null) continue;
    if (!known.get(license)) {
      const owner = toIdText(raw["parentOrganizationId"]) ?? id;
      addLicense(state, { externalId: license, product: null, isDisabled: false, owner });
      dangling.push({ resource: "licenses", id: license, in: `orgs ${id}` });
    }
    hold.run(id, license);
  }
  reserveUnmappedLicenses(state);
  const shown = database.prepare("UPDATE mirrored SET shown = ? WHERE resource = 'orgs' AND id = ?");
  const context = { database, distributorId: findMirroredDistributor(state) };
  for (const raw of organizations) {
    const id = readId(raw, "orgs");
    const organization = findOrganization(context, id);
    const text = organization && JSON.stringify(showOrganization(organization));
    shown.run(text === undefined || text === stringifyExactJson(raw) ? null : text, id);
  }
  return dangling;
}

/** Marks licenses as in use if their holders were not copied, so that no request can assign them again. */
function reserveUnmappedLicenses(state: EmulatorState): void {
  const hold = state.database.prepare(
    "UPDATE licenses SET assigned_id = ?, status = 'assigned' WHERE external_id = ? AND assigned_id IS NULL AND status = 'available'",
  );
  for (const raw of readMirroredRecords(state, "licenses")) {
    if (raw["status"] !== "assigned") continue;
    const placeholderId = state.ids.next();
    requireOrganizationRow(state, placeholderId);
    hold.run(placeholderId, readId(raw));
  }
}

function readMirroredRecords(state: EmulatorState, resource: "orgs" | "licenses"): RawRecord[] {
  return state.database
    .prepare("SELECT raw FROM mirrored WHERE resource = ? ORDER BY id")
    .all(resource)
    .map(({ raw }) => readStoredRecord(state, resource, raw));
}
