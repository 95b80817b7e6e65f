import type { Fields } from "../../../base/fields.js";
import { quoteWord } from "../../../base/shell-words.js";
import { ClientError } from "../../../client/errors.js";
import { idText } from "../../../client/ids.js";
import type { Client } from "../../../client/types.js";
import { isTableOutput } from "../../bulk/summary.js";
import { isNotFound } from "../../derive/ignore-not-found.js";
import { dryRunFlag, printRequests, resolvePlannedPath } from "../../derive/requests.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Command } from "../../session/command.js";
import { organization as organizationReference } from "../../session/references/organization.js";
import { findByName, type Referred, readAll, resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { organizationColumns } from "../distributor/organizations.js";
import { formatHolder, licenseArgument, readArgument, readLicenses } from "./read.js";

export const reassign: Command = {
  name: "reassign",
  summary: "Assign a different license to an organization",
  description:
    "The new license must be an available license of the same MSP. If another organization has it, first assign a different license to that organization. The previous license becomes available. If it is disabled, it stays disabled, but no longer blocks the organization.",
  arguments: [
    { name: "organization", description: "External ID, name or ID of the organization" },
    licenseArgument,
  ],
  flags: [
    {
      ...dryRunFlag,
      description: "Print the request instead of sending it; doesn't check whether the license is available",
    },
  ],
  examples: [{ command: "voxctl licenses reassign praxis-sommer havel-005" }],
  async run(session, input) {
    const dryRun = input.on("dry-run") === true;
    const value = readArgument(input, 0, "organization");
    const license = readArgument(input, 1, "license");
    const body = { externalLicenseId: license };
    const { client } = await session.connect({ mutates: !dryRun });
    const id = await resolveReference(client, organizationReference, value, "<organization>", session).catch(
      async (error: unknown) => {
        if (!isNotFound(error)) throw error;
        const named = await findByName(client, organizationReference, license, session);
        if (named.length === 0) throw error;
        throw usageError(`"${value}" is not an organization, but "${license}" is`, {
          hint: `swap the arguments: \`voxctl licenses reassign ${quoteWord(license)} ${quoteWord(value)}\``,
        });
      },
    );
    if (dryRun) {
      await printRequests(session, [
        {
          method: "PATCH",
          path: await resolvePlannedPath(session, "licenses.reassign", { organizationId: id }),
          body,
        },
      ]);
      return;
    }
    let isUnchanged = false;
    const data = await client
      .call("licenses.reassign", { path: { organizationId: id }, body }, { signal: session.signal })
      .then(
        (response) => response.data,
        async (error: unknown) => {
          const organization = await explainRefusal(session, client, { id, license }, error);
          isUnchanged = true;
          return organization;
        },
      );
    const sentence = isUnchanged
      ? `${value} already has license ${license}. No changes were made.`
      : `Assigned license ${license} to ${value}.`;
    if (isTableOutput(session)) return session.output.lines([sentence]);
    if (isUnchanged) session.notes.note(sentence);
    await session.output.item(data, { columns: organizationColumns });
  },
};

/**
 * Explains why the license can't be assigned. Doesn't throw if the organization already has the license.
 * @returns the organization that already has the license
 * @throws the original error, or a conflict (6) that names the obstacle
 */
async function explainRefusal(
  session: Session,
  client: Client,
  { id, license }: { id: string; license: string },
  error: unknown,
): Promise<Fields> {
  if (!(error instanceof ClientError) || (error.status !== 409 && error.status !== 404)) throw error;
  const all: Referred[] = [];
  for await (const organization of readAll(client, organizationReference, session)) all.push(organization);
  const own = all.find((organization) => organization.id === id);
  const mspOf = (organization: Referred | undefined) =>
    idText(organization?.row["parentOrganizationId"]) ?? organization?.id ?? id;
  const nameOf = (organizationId: string) =>
    all.find((organization) => organization.id === organizationId)?.name ?? organizationId;
  const mspId = mspOf(own);
  const msp = nameOf(mspId);
  const holder = all.find(({ row }) => row["externalLicenseId"] === license);
  const isOwn = holder !== undefined && holder === own;
  if (isOwn && own.row["status"] !== "blocked") return own.row;
  const conflict = (message: string, hint: string) =>
    new CliError({ exit: exits.conflict, code: error.code, message, hint, cause: error });
  const choice = `choose an available license: \`voxctl licenses list ${quoteWord(msp)}\``;
  if (holder !== undefined && mspOf(holder) !== mspId)
    throw conflict(`license ${license} belongs to another MSP, ${nameOf(mspOf(holder))}`, choice);
  if (holder !== undefined && !isOwn) {
    const state = holder.row["status"] === "blocked" ? "is disabled, and blocks" : "is assigned to";
    const release = `first assign a different license to ${formatHolder(holder)}, or ${choice}`;
    throw conflict(`license ${license} ${state} ${formatHolder(holder)}`, release);
  }
  const owned = await readLicenses(client, mspId, session).catch(() => undefined);
  const existing = owned?.find(({ externalLicenseId }) => externalLicenseId === license);
  if (existing?.["status"] === "disabled")
    throw conflict(
      `license ${license} is disabled`,
      `enable the license: \`voxctl licenses enable ${quoteWord(msp)} ${quoteWord(license)}\``,
    );
  if (owned !== undefined && existing === undefined && error.code === "LICENSE_NOT_FOUND")
    throw new CliError({
      exit: exits.notFound,
      code: error.code,
      message: `${msp}${mspId === id ? "" : ", the MSP of this organization,"} has no license ${license}`,
      hint: choice,
      cause: error,
    });
  throw new FlaggedError(error, () => undefined, { MSP: msp });
}
