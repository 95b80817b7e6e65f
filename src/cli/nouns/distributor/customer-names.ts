import { getText, isFields } from "../../../base/fields.js";
import { formatCount } from "../../../base/text.js";
import type { Client } from "../../../client/types.js";
import type { Session } from "../../session/session.js";

/** Each partner needs its own requests, and the API allows only 60 requests per minute. */
const mostPartners = 10;
const mostPages = 2;

/**
 * Adds customers' names to the rows of a CSV, for invoices. With many partners, omits some names and prints a
 * note.
 */
export async function* addCustomerNames(
  session: Session,
  client: Client,
  rows: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<unknown, void> {
  const byPartner = new Map<string, ReadonlyMap<string, string> | undefined>();
  const without = new Set<string>();
  for await (const row of rows) {
    const [partner, customer] = isFields(row)
      ? [getText(row, "externalPartnerId"), getText(row, "externalCustomerId")]
      : ["", ""];
    if (session.output.format !== "csv" || !isFields(row) || partner === "" || customer === "") {
      yield row;
      continue;
    }
    if (!byPartner.has(partner))
      byPartner.set(
        partner,
        byPartner.size < mostPartners ? await readNames(session, client, partner) : undefined,
      );
    const names = byPartner.get(partner);
    if (names === undefined) without.add(partner);
    yield { ...row, customerName: names?.get(customer) ?? "" };
  }
  if (without.size > 0)
    session.notes.note(
      `omitted the customer names for ${formatCount(without.size, "partner")}; to list them, run \`voxctl customers list PARTNER\``,
    );
}

/** Returns undefined if names can't be read, so that the command doesn't fail. @throws the signal's reason */
async function readNames(
  { signal }: Session,
  client: Client,
  partner: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const names = new Map<string, string>();
  let isWhole = true;
  const options = {
    signal,
    pageSize: 200,
    maximumPages: mostPages,
    onMore: () => {
      isWhole = false;
    },
  };
  try {
    const path = { externalPartnerId: partner };
    for await (const row of client.items("customers.list", { path }, options))
      if (isFields(row)) names.set(getText(row, "externalCustomerId"), getText(row, "name"));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
  return isWhole ? names : undefined;
}
