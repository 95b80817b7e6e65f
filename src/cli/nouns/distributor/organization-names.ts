import { isFields } from "../../../base/fields.js";
import { organizationId } from "../../../client/ids.js";
import type { Client } from "../../../client/types.js";
import { readKnown } from "../../session/references/known-names.js";
import { organization } from "../../session/references/organization.js";
import type { Referred } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";

/**
 * Adds organizations' names to rows for an invoice. Adds names only to tables and CSV, and only if two
 * requests are enough.
 */
export async function* addOrganizationNames(
  session: Session,
  client: Client,
  rows: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<unknown, void> {
  const { format } = session.output;
  const isShown = format === "table" || format === "csv";
  let known: Map<string, Referred> | undefined;
  let isRead = false;
  for await (const row of rows) {
    const id = isShown && isFields(row) ? findOrganizationId(row) : undefined;
    if (id === undefined) {
      yield row;
      continue;
    }
    if (!isRead) known = await readKnown(session, client, organization);
    isRead = true;
    const match = known?.get(id);
    yield match && isFields(row)
      ? { externalOrganizationId: match.name, ...row, organizationName: match.otherName ?? "" }
      : row;
  }
}

/** Ignores `id`, because it may be the ID of the record itself. */
function findOrganizationId({
  organizationId: camel,
  organization_id: snake,
}: Readonly<Record<string, unknown>>) {
  return organizationId({ organizationId: camel, organization_id: snake });
}
