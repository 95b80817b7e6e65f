import { ExactNumber } from "../../../base/exact-json.js";
import { type Fields, isFields } from "../../../base/fields.js";
import { inflect } from "../../../base/text.js";
import { bodyFlags, readBody } from "../../derive/body.js";
import { dryRunFlag, printRequests, resolvePlannedPath } from "../../derive/requests.js";
import { type CliError, usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import { msp } from "../../session/references/organization.js";
import { resolveReferred } from "../../session/references/references.js";
import { organizationColumns } from "../distributor/organizations.js";
import { askForOrganization } from "./ask.js";

const flags: readonly Flag[] = [
  { name: "type", value: "type", description: "Type: msp or customer", choices: ["msp", "customer"] },
  { name: "name", value: "text", description: "Name of the organization" },
  {
    name: "external-id",
    value: "id",
    description: "Your own ID for the organization; must be unique",
  },
  {
    name: "license",
    value: "license",
    description: "License ID; an MSP gets a new license, a customer gets one of its MSP's available licenses",
  },
  { name: "product", value: "text", description: "Product of the MSP's license" },
  {
    name: "parent",
    value: "external-id|name|id",
    description: "MSP that the customer belongs to",
  },
];

const flagOfField: Readonly<Record<string, string>> = {
  type: "--type",
  name: "--name",
  externalOrganizationId: "--external-id",
  externalLicenseId: "--license",
  license: "--license",
  parentOrganizationId: "--parent",
};

function readFields(input: Input): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  const set = (field: string, value: unknown) => {
    if (value !== undefined) fields.set(field, value);
  };
  set("type", input.text("type"));
  set("name", input.text("name"));
  set("externalOrganizationId", input.text("external-id"));
  set("parentOrganizationId", input.text("parent"));
  return fields;
}

/**
 * The request for an MSP creates a new license; a customer gets an existing license of its MSP (v2.create).
 * @throws usage error (2)
 */
function withLicense(body: Fields, input: Input): Fields {
  const [externalLicenseId, product] = [input.text("license"), input.text("product")];
  if (product !== undefined && body["type"] === "customer")
    throw usageError("--product can't be used with --type customer");
  if (externalLicenseId === undefined && product === undefined) return body;
  if (body["type"] === "customer") return { ...body, externalLicenseId };
  const license = {
    ...(isFields(body["license"]) ? body["license"] : {}),
    ...(externalLicenseId === undefined ? {} : { externalLicenseId }),
    ...(product === undefined ? {} : { product }),
  };
  return { ...body, license };
}

function findMissing(body: Fields): string[] {
  const required =
    body["type"] === "customer"
      ? ["name", "externalOrganizationId", "parentOrganizationId", "externalLicenseId"]
      : ["type", "name", "externalOrganizationId", "license"];
  return required.filter((field) => body[field] === undefined || (field === "license" && !hasLicense(body)));
}

/** Returns false for a license that contains only the value of --product. */
function hasLicense({ license }: Fields): boolean {
  return !isFields(license) || Object.keys(license).some((field) => field !== "product");
}

function toMissingError(missing: readonly string[]): CliError {
  const flag = (field: string) => flagOfField[field] ?? `--${field}`;
  const flags = missing.map(flag).join(", ");
  return usageError(`missing required ${inflect(missing.length, "flag", "flags")}: ${flags}`, {
    details: missing.map((field) => ({ path: [field], message: "is required", flag: flag(field) })),
  });
}

export const createOrganization: Command = {
  name: "create",
  summary: "Create a customer, or an MSP with its license",
  description:
    "A customer requires an available license of its MSP. To list the licenses, run `voxctl licenses list MSP`.",
  flags: [...flags, ...bodyFlags, dryRunFlag],
  examples: [
    {
      command:
        'voxctl orgs create --type msp --name "Elbe Systemhaus" --external-id elbe --license elbe-base',
    },
    {
      command:
        'voxctl orgs create --type customer --name "Optik Lange" --parent havel-it --external-id optik-lange --license havel-004',
    },
  ],
  async run(session, input) {
    const dryRun = input.on("dry-run") === true;
    let body = withLicense(await readBody(input, readFields(input), session), input);
    const missing = findMissing(body);
    if (missing.length > 0) {
      if (!session.prompts.available || input.has("data")) throw toMissingError(missing);
      body = await askForOrganization(body, session, { dryRun, set: input.texts("set") });
    }
    const parent = body["parentOrganizationId"];
    const names: Readonly<Record<string, string>> = typeof parent === "string" ? { MSP: parent } : {};
    const { client } = await session.connect({ mutates: !dryRun });
    if (typeof parent === "string") {
      const { id, sentId } = await resolveReferred(client, msp, parent, "--parent", session);
      // Send the ID with the service's JSON type. A long number stays text, to keep all digits.
      body = { ...body, parentOrganizationId: sentId instanceof ExactNumber ? id : sentId };
    }
    if (dryRun) {
      await printRequests(session, [
        { method: "POST", path: await resolvePlannedPath(session, "orgs.create"), body },
      ]);
      return;
    }
    try {
      const { data } = await client.call("orgs.create", { body }, { signal: session.signal });
      await session.output.item(data, { columns: organizationColumns });
    } catch (error) {
      throw new FlaggedError(error, (path) => flagOfField[String(path[0])], names);
    }
  },
};
