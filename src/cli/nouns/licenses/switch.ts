import type { Fields } from "../../../base/fields.js";
import { quoteWord } from "../../../base/shell-words.js";
import { idText } from "../../../client/ids.js";
import type { Client } from "../../../client/types.js";
import { dryRunFlag } from "../../derive/requests.js";
import { notFoundError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { organization as organizationReference } from "../../session/references/organization.js";
import { type Referred, readAll } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { changeLicenses } from "./change.js";
import { formatHolder, licenseArgument, mspArgument, readArgument, readLicenses } from "./read.js";

/** First checks that the license exists, because an upsert would create it. */
export function createSwitchCommand(
  name: "disable" | "enable",
  summary: string,
  description: string,
): Command {
  const status = name === "disable" ? "disabled" : "available";
  return {
    name,
    summary,
    description,
    arguments: [mspArgument, licenseArgument],
    flags: [dryRunFlag],
    confirms: name === "disable",
    examples: [{ command: `voxctl licenses ${name} havel-it havel-001` }],
    async run(session, input) {
      const value = readArgument(input, 0, "msp");
      const license = readArgument(input, 1, "license");
      const createLicenses = async (client: Client, id: string) => {
        const known = await readLicenses(client, id, session);
        const existing = known.find((candidate) => candidate["externalLicenseId"] === license);
        if (existing === undefined) {
          throw notFoundError(
            `license ${license} of ${value} not found`,
            `list the MSP's licenses: \`voxctl licenses list ${quoteWord(value)}\``,
          );
        }
        const isSending = input.on("dry-run") !== true;
        if (isSending && name === "disable" && existing["status"] !== status)
          await confirmDisabled(session, client, existing, license);
        return [{ externalLicenseId: license, status }];
      };
      await changeLicenses(session, input, value, { isAdding: false, createLicenses });
    },
  };
}

/**
 * The prompt names the organization that loses access.
 * @throws refused error (12) if the user declines
 */
async function confirmDisabled(
  session: Session,
  client: Client,
  { status, assignedOrganizationId }: Fields,
  license: string,
): Promise<void> {
  const holder = await findHolder(session, client, license, idText(assignedOrganizationId));
  // The response may omit the holder, so only the status `available` proves that a license has no holder.
  if (holder === undefined && status === "available") return;
  const blocked = holder ?? "the organization that uses it";
  const question = `Disable license ${license}? This blocks ${blocked} immediately: its API keys stop working.`;
  await session.confirm(question, { loses: false });
}

async function findHolder(
  session: Session,
  client: Client,
  license: string,
  id: string | undefined,
): Promise<string | undefined> {
  const holder = await findOrganization(session, client, (organization) =>
    id === undefined ? organization.row["externalLicenseId"] === license : organization.id === id,
  );
  return holder === undefined ? id : formatHolder(holder);
}

async function findOrganization(
  { signal, names }: Session,
  client: Client,
  isMatch: (organization: Referred) => boolean,
): Promise<Referred | undefined> {
  for await (const organization of readAll(client, organizationReference, { signal, names }))
    if (isMatch(organization)) return organization;
  return undefined;
}
