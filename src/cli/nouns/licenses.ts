import { type Fields, isFields } from "../../base/fields.js";
import { quoteWord } from "../../base/shell-words.js";
import { formatCount } from "../../base/text.js";
import { ClientError } from "../../client/errors.js";
import { idText } from "../../client/ids.js";
import type { Client } from "../../client/types.js";
import { isTableOutput } from "../bulk/summary.js";
import { isNotFound } from "../derive/ignore-not-found.js";
import { dryRunFlag, printRequests, resolvePlannedPath } from "../derive/requests.js";
import { CliError, exits, notFoundError, usageError } from "../errors/errors.js";
import { FlaggedError } from "../errors/exit-codes.js";
import type { Column } from "../output/output.js";
import type { Command, CommandGroup } from "../session/command.js";
import type { Input } from "../session/input.js";
import { readKnown } from "../session/references/known-names.js";
import {
  msp as mspReference,
  organization as organizationReference,
} from "../session/references/organization.js";
import { findByName, type Referred, readAll, resolveReference } from "../session/references/references.js";
import type { Session } from "../session/session.js";
import { organizationColumns } from "./distributor/organizations.js";

const mspArgument = { name: "msp", description: "External ID, name or ID of the MSP" };
const licenseArgument = { name: "license", description: "License ID" };

const columns: readonly Column[] = [
  { header: "LICENSE", value: "externalLicenseId", keep: true },
  { header: "PRODUCT", value: "product" },
  { header: "STATUS", value: "status", as: "status", keep: true },
  { header: "HELD BY", value: "assignedOrganizationId", keep: true, optional: true },
];
const fields = ["externalLicenseId", "product", "status"];

function readArgument(input: Input, index: number, name: string): string {
  const value = input.arguments[index] ?? "";
  if (value === "") throw usageError(`<${name}> is empty`);
  return value;
}

/**
 * Returns the licenses in a billing summary; undefined if the summary has no list of licenses. The summary's
 * fields are not documented (v2.billing).
 */
export function findLicenses(summary: unknown): Fields[] | undefined {
  const licenses = isFields(summary) ? summary["licenses"] : undefined;
  return Array.isArray(licenses) && licenses.every(isFields) ? licenses : undefined;
}

/** @throws ClientError; CliError (9) if the billing summary has no list of licenses, not even an empty one */
export async function readLicenses(
  client: Client,
  organizationId: string,
  session: Session,
): Promise<Fields[]> {
  const { data } = await client.call("billing.get", { path: { organizationId } }, { signal: session.signal });
  const licenses = findLicenses(data);
  if (licenses) return licenses;
  throw new CliError({
    exit: exits.unavailable,
    code: "licenses_not_shown",
    message: "this service's billing summary does not list licenses",
    hint: "to show each organization's license, run `voxctl orgs list`",
  });
}

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

/** First checks that the license exists, because an upsert would create it. */
function createSwitchCommand(name: "disable" | "enable", summary: string, description: string): Command {
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

function formatHolder({ name, otherName: displayName }: Referred): string {
  return displayName ? `${displayName} (${name})` : name;
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

async function changeLicenses(
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
  const owned = await readLicenses(client, mspId, session).catch(() => []);
  const existing = owned.find(({ externalLicenseId }) => externalLicenseId === license);
  if (existing?.["status"] === "disabled")
    throw conflict(
      `license ${license} is disabled`,
      `enable the license: \`voxctl licenses enable ${quoteWord(msp)} ${quoteWord(license)}\``,
    );
  throw new FlaggedError(error, () => undefined, { MSP: msp });
}

const reassign: Command = {
  name: "reassign",
  summary: "Assign a different license to an organization",
  description:
    "The new license must be an available license of the same MSP. If another organization has it, first assign a different license to that organization. The previous license becomes available, or stays disabled without blocking the organization.",
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
