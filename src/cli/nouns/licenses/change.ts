import { isFields } from "../../../base/fields.js";
import { quoteWord } from "../../../base/shell-words.js";
import { formatCount } from "../../../base/text.js";
import { idText } from "../../../client/ids.js";
import type { Client } from "../../../client/types.js";
import { printRequests, resolvePlannedPath } from "../../derive/requests.js";
import type { Column } from "../../output/output.js";
import type { Input } from "../../session/input.js";
import { readKnown } from "../../session/references/known-names.js";
import {
  msp as mspReference,
  organization as organizationReference,
} from "../../session/references/organization.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";

export const columns: readonly Column[] = [
  { header: "LICENSE", value: "externalLicenseId", keep: true },
  { header: "PRODUCT", value: "product" },
  { header: "STATUS", value: "status", as: "status", keep: true },
  { header: "HELD BY", value: "assignedOrganizationId", keep: true, optional: true },
];
export const fields = ["externalLicenseId", "product", "status"];

export async function changeLicenses(
  session: Session,
  input: Input,
  msp: string,
  {
    isAdding,
    createLicenses,
  }: {
    isAdding: boolean;
    createLicenses: (client: Client, id: string) => Promise<{ externalLicenseId: string }[]>;
  },
): Promise<void> {
  const dryRun = input.on("dry-run") === true;
  const { client } = await session.connect({ mutates: !dryRun });
  const id = await resolveReference(client, mspReference, msp, "<msp>", session);
  const licenses = await createLicenses(client, id);
  if (dryRun) {
    await printRequests(session, [
      {
        method: "PATCH",
        path: await resolvePlannedPath(session, "licenses.upsert", { organizationId: id }),
        body: { licenses },
      },
    ]);
    return;
  }
  const { data } = await client.call(
    "licenses.upsert",
    { path: { organizationId: id }, body: { licenses } },
    { signal: session.signal },
  );
  if (!Array.isArray(data)) return session.output.item(data);
  const changed = new Set<unknown>(licenses.map(({ externalLicenseId }) => externalLicenseId));
  const shown = data.filter((row) => isFields(row) && changed.has(row["externalLicenseId"]));
  const rows = await nameHolders(session, client, shown);
  await session.output.list(rows, { columns, fields, empty: "no licenses" });
  // A response with only the new licenses is incomplete, because an MSP also has its own license.
  if (isAdding && data.length > shown.length)
    session.notes.note(
      `${msp} now has ${formatCount(data.length, "license")}. To list them, run \`voxctl licenses list ${quoteWord(msp)}\`.`,
    );
}

/** Replaces the holders' IDs with names, if two requests are enough to read the names. */
async function nameHolders(session: Session, client: Client, rows: readonly unknown[]): Promise<unknown[]> {
  const field = "assignedOrganizationId";
  const isHeld = rows.some((row) => isFields(row) && idText(row[field]) !== undefined);
  if (session.output.format !== "table" || session.flags.fields || !isHeld) return [...rows];
  const known = await readKnown(session, client, organizationReference);
  return rows.map((row) =>
    isFields(row) && row[field] !== undefined
      ? { ...row, [field]: known?.get(idText(row[field]) ?? "")?.name ?? row[field] }
      : row,
  );
}
