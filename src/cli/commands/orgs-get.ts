import type { Client } from "../../client/types.js";
import type { Command } from "../command.js";
import { notFoundError, usageError } from "../errors.js";
import { type Fields, isFields } from "../output/fields.js";
import { isId } from "../references.js";
import type { Session } from "../session.js";

/**
 * The organization of this id or external id, from the list: the service shows no single one. All pages are read and
 * compared here, since a filter is never trusted.
 * @throws not found (4), usage error (2) when several have it
 */
export async function readOrganization(client: Client, value: string, session: Session): Promise<Fields> {
  const field = isId(value) ? "id" : "externalOrganizationId";
  const found: Fields[] = [];
  for await (const row of client.items("orgs.list", {}, { signal: session.signal, pageSize: 200 })) {
    if (isFields(row) && row[field] === value) found.push(row);
  }
  const [first, ...others] = found;
  if (!first) {
    const what = field === "id" ? "id" : "external id";
    throw notFoundError(
      `no organization has the ${what} "${value}"`,
      "voxctl orgs list shows those there are",
    );
  }
  if (others.length > 0) {
    throw usageError(
      `${found.length} organizations have the external id "${value}"; give the id of one: ${found.map((row) => String(row["id"])).join(", ")}`,
    );
  }
  return first;
}

export const getOrganization: Command = {
  name: "get",
  summary: "Show an organization",
  arguments: [{ name: "organization", description: "its external id or id" }],
  examples: [{ command: "voxctl orgs get praxis-sommer" }],
  async run(session, input) {
    const value = input.arguments[0] ?? "";
    if (value === "") throw usageError("<organization> is empty");
    const { client } = await session.connect();
    await session.output.item(await readOrganization(client, value, session));
  },
};
