import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { organization } from "../../session/references/organization.js";
import { findOnly } from "../../session/references/references.js";

export const getOrganization: Command = {
  name: "get",
  summary: "Show an organization",
  arguments: [{ name: "organization", description: "External ID, name or ID" }],
  examples: [{ command: "voxctl orgs get praxis-sommer" }],
  async run(session, input) {
    const value = input.arguments[0] ?? "";
    if (value === "") throw usageError("<organization> is empty");
    const { client } = await session.connect();
    // The API has no operation that returns a single organization, so search the list.
    const { row } = await findOnly(client, organization, value, "<organization>", session);
    await session.output.item(row);
  },
};
