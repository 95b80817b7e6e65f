import { organizationId, sentOrganizationId } from "../../client/ids.js";
import { orgs as orgOperations } from "../../contract/distributor/orgs.js";
import { isFields } from "../output/fields.js";
import type { Column } from "../output/output.js";
import type { Referable } from "../references.js";
import { type ResourcePresentation, textIn } from "./presentation.js";

/** An organization, by the distributor's own identifier, or its name where no other has it. */
export const organization: Referable = {
  list: "orgs.list",
  noun: "organization",
  label: "externalOrganizationId",
  otherLabel: "name",
  given: "external id, name or id",
  distinction: "type",
  idOf: sentOrganizationId,
};

/** The same, where only an MSP will do. */
export const msp: Referable = { ...organization, noun: "MSP", where: { type: "msp" } };

/** `active`, or `✗ blocked (license_disabled)`. */
export function statusText(row: Readonly<Record<string, unknown>>): unknown {
  const { status } = row;
  if (status !== "blocked") return status;
  const reason = textIn(row, "blockedReason");
  return reason === "" ? "✗ blocked" : `✗ blocked (${reason})`;
}

const columns: readonly Column[] = [
  { header: "ID", value: organizationId, keep: true, optional: true },
  { header: "TYPE", value: "type", keep: true },
  { header: "EXTERNAL ID", value: "externalOrganizationId", keep: true },
  { header: "NAME", value: "name" },
  { header: "PARENT", value: "parentOrganizationId", optional: true },
  { header: "LICENSE", value: "externalLicenseId", keep: true },
  { header: "STATUS", value: statusText, as: "status" },
  { header: "CREATED", value: "createdAt", as: "time", optional: true, keep: true },
];

export const orgs: ResourcePresentation = {
  name: "orgs",
  noun: "organization",
  plural: "organizations",
  summary: "Organizations of a distributor: MSPs and their customers",
  description: "The external id can stand for the id everywhere, and so can a name that only one has.",
  operations: orgOperations,
  columns,
  referable: organization,
  references: { parentOrganizationId: msp },
  commands: [
    {
      name: "get",
      summary: "Show an organization",
      load: async () => (await import("../commands/orgs-get.js")).getOrganization,
    },
    {
      name: "create",
      summary: "Create an MSP with its license, or a customer",
      load: async () => (await import("../commands/orgs-create.js")).createOrganization,
    },
    {
      name: "tree",
      summary: "Draw MSPs with their customers, licenses and status",
      load: async () => (await import("../commands/orgs-tree.js")).organizationTree,
    },
    {
      name: "provision",
      summary: "Create what a plan of MSPs, licenses and customers says",
      load: async () => (await import("../commands/orgs-provision.js")).provision,
    },
  ],
  verbs: {
    "orgs.list": {
      examples: [
        { command: "voxctl orgs list" },
        { command: "voxctl orgs list --parent havel-it --status blocked" },
        { command: "voxctl orgs list --all -o csv" },
      ],
      flagNames: { parentOrganizationId: "parent", externalOrganizationId: "external-id" },
      flagHelp: {
        type: "msp or customer",
        parentOrganizationId: "only customers of this MSP, by external id, name or id",
        externalOrganizationId: "only the one of this external id",
        status: "active or blocked",
      },
    },
    "orgs.delete": {
      description:
        "Its license becomes available, and its API keys stop working. An MSP can be deleted only after its customers; its licenses go with it.",
      examples: [
        { command: "voxctl orgs delete praxis-sommer" },
        { command: "voxctl orgs delete spree-kom --yes" },
      ],
      loses: async ({ client, id, signal }) => {
        for await (const row of client.items("orgs.list", {}, { signal, pageSize: 200 })) {
          if (!isFields(row) || organizationId(row) !== id) continue;
          const what = `${textIn(row, "type")} ${textIn(row, "externalOrganizationId")} "${textIn(row, "name")}"`;
          return { what, consequence: "Everything in it goes with it, and its API keys stop working." };
        }
        return { what: "organization" };
      },
    },
  },
};
