import type { Fields } from "../../../base/fields.js";
import type { Client } from "../../../client/types.js";
import { dryRunFlag } from "../../derive/requests.js";
import { usageError } from "../../errors/errors.js";
import type { Command, CommandGroup } from "../../session/command.js";
import {
  msp as mspReference,
  organization as organizationReference,
} from "../../session/references/organization.js";
import { readAll, resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { changeLicenses, columns, fields } from "./change.js";
import { licenseArgument, mspArgument, readArgument, readLicenses } from "./read.js";
import { reassign } from "./reassign.js";
import { createSwitchCommand } from "./switch.js";

const list: Command = {
  name: "list",
  aliases: ["ls"],
  summary: "List an MSP's licenses",
  description:
    "voxctl reads the licenses from the MSP's billing summary. The table also shows which organization has each license; other formats contain only the fields in the summary.",
  arguments: [mspArgument],
  examples: [{ command: "voxctl licenses list havel-it" }],
  async run(session, input) {
    const value = readArgument(input, 0, "msp");
    const { client } = await session.connect();
    const id = await resolveReference(client, mspReference, value, "<msp>", session);
    const rows = await readLicenses(client, id, session);
    await session.output.list(await addHolders(session, client, id, rows), {
      columns,
      fields,
      empty: "no licenses",
    });
  },
};

/** Adds the licenses' holders from the list of organizations, because the summary may omit the holders. */
async function addHolders(
  session: Session,
  client: Client,
  mspId: string,
  rows: readonly Fields[],
): Promise<readonly Fields[]> {
  if (session.output.format !== "table" || session.flags.fields) return rows;
  const holders = new Map<unknown, string>();
  const customers = { ...organizationReference, query: { parentOrganizationId: mspId } };
  for (const referable of [{ ...organizationReference, query: { type: "msp" } }, customers]) {
    for await (const { row, name } of readAll(client, referable, session))
      holders.set(row["externalLicenseId"], name);
  }
  return rows.map((row) => ({
    ...row,
    assignedOrganizationId: holders.get(row["externalLicenseId"]) ?? row["assignedOrganizationId"],
  }));
}

const upsert: Command = {
  name: "upsert",
  summary: "Add licenses to an MSP, or change their product",
  arguments: [mspArgument, { ...licenseArgument, description: "License IDs", variadic: true }],
  flags: [{ name: "product", value: "text", description: "Product for the licenses" }, dryRunFlag],
  examples: [
    { command: "voxctl licenses upsert havel-it havel-005 havel-006 --product Standard" },
    { command: "voxctl licenses upsert havel-it havel-005 --dry-run" },
  ],
  async run(session, input) {
    const [value, ...ids] = input.arguments;
    const product = input.text("product");
    if (value === undefined || value === "" || ids.length === 0 || ids.includes("")) {
      throw usageError("missing argument: expected an MSP and at least one license ID");
    }
    const licenses = ids.map((id) => ({
      externalLicenseId: id,
      ...(product === undefined ? {} : { product }),
    }));
    await changeLicenses(session, input, value, { isAdding: true, createLicenses: async () => licenses });
  },
};

export const licenses: CommandGroup = {
  name: "licenses",
  summary: "Manage MSP licenses",
  description:
    "A license of an MSP is available, assigned to one organization, or disabled. If an assigned license is disabled, it stays assigned and its organization is blocked.",
  commands: [
    list,
    upsert,
    createSwitchCommand(
      "disable",
      "Disable a license and block its organization",
      "Blocks the organization that uses the license: requests with the organization's API keys get status 402 until the license is enabled or a different license is assigned.",
    ),
    createSwitchCommand(
      "enable",
      "Enable a disabled license",
      "Unblocks the organization that uses the license.",
    ),
    reassign,
  ],
};
