import { organizationId } from "../../../client/ids.js";
import type { Client } from "../../../client/types.js";
import { notFoundError, usageError } from "../../errors/errors.js";
import { meantText, nearestTo } from "../../errors/nearest.js";
import { type Fields, isFields, textIn } from "../../output/fields.js";
import type { Command } from "../../session/command.js";
import { isId } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";

/**
 * The organization of this id, external id or name, from the list: the service shows no single one. All pages are read
 * and compared here, since a filter is never trusted.
 * @throws not found (4), usage error (2) when several have it
 */
async function readOrganization(client: Client, value: string, session: Session): Promise<Fields> {
  const nearest = nearestTo(value);
  const found: Fields[] = [];
  for await (const row of client.items("orgs.list", {}, { signal: session.signal, pageSize: 200 })) {
    if (!isFields(row)) continue;
    const called = ["externalOrganizationId", "name"].map((field) => textIn(row, field));
    if (called.includes(value) || organizationId(row) === value) found.push(row);
    for (const one of called) nearest.consider(one);
  }
  const [first, ...others] = found;
  if (!first) {
    throw notFoundError(
      isId(value) ? `no organization has the id "${value}"` : `no organization is named "${value}"`,
      `${meantText(nearest)}voxctl orgs list shows those there are`,
    );
  }
  if (others.length > 0) {
    throw usageError(
      `${found.length} organizations are named "${value}"; give the id of one: ${found.map((row) => organizationId(row) ?? "none").join(", ")}`,
    );
  }
  return first;
}

export const getOrganization: Command = {
  name: "get",
  summary: "Show an organization",
  arguments: [{ name: "organization", description: "its external id, name or id" }],
  examples: [{ command: "voxctl orgs get praxis-sommer" }],
  async run(session, input) {
    const value = input.arguments[0] ?? "";
    if (value === "") throw usageError("<organization> is empty");
    const { client } = await session.connect();
    await session.output.item(await readOrganization(client, value, session));
  },
};
