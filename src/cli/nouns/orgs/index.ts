import { getText, isFields } from "../../../base/fields.js";
import { collectTexts, createWordMatcher } from "../../../base/text-matching.js";
import { organizationId } from "../../../client/ids.js";
import { orgs as orgOperations } from "../../../contract/distributor/orgs.js";
import { lostCalls } from "../../bulk/lost-calls.js";
import type { Noun } from "../../derive/noun.js";
import type { RowFilter } from "../../derive/row-filters.js";
import { msp, organization } from "../../session/references/organization.js";
import { organizationColumns } from "../distributor/organizations.js";
import { createDeleteCommand } from "./delete.js";
import { organizationList } from "./list.js";

const searchFilter: RowFilter = {
  flag: {
    name: "search",
    value: "text",
    description: "Find organizations by the start of a word in the name or external ID",
  },
  read: (typed) => {
    const isMatch = createWordMatcher(typed);
    return ({ name, externalOrganizationId: id }) => {
      const texts = [...collectTexts(name), ...collectTexts(id)];
      return texts.length === 0 ? undefined : isMatch(texts.join(" "));
    };
  },
};

/** Omit the tree operation: `orgs list --tree` shows the tree. */
const { "orgs.tree": _tree, ...operations } = orgOperations;

export const orgs: Noun = {
  name: "orgs",
  noun: "organization",
  plural: "organizations",
  summary: "Manage MSPs and customers; provision them from a file",
  description:
    "Manage MSPs and customers. Instead of an ID, you can always use an external ID or a unique name.",
  operations,
  columns: organizationColumns,
  referable: organization,
  references: { parentOrganizationId: msp },
  commands: [
    {
      name: "get",
      summary: "Show an organization",
      load: async () => (await import("./get.js")).getOrganization,
    },
    {
      name: "create",
      summary: "Create a customer, or an MSP with its license",
      load: async () => (await import("./create.js")).createOrganization,
    },
    {
      name: "provision",
      summary: "Create MSPs, licenses and customers from a file",
      load: async () => (await import("../../../features/provision/commands/provision.js")).provision,
    },
    {
      name: "export",
      summary: "Export all organizations as an organization spec",
      load: async () => (await import("./export.js")).exportOrganizations,
    },
  ],
  verbs: {
    "orgs.list": {
      command: organizationList,
      rowFilters: [searchFilter],
      examples: [
        { command: "voxctl orgs list" },
        { command: "voxctl orgs list --search sommer" },
        { command: "voxctl orgs list --parent havel-it --status blocked" },
        { command: "voxctl orgs list --all -o csv" },
        { command: "voxctl orgs list --tree --parent havel-it", note: "One MSP with its customers" },
      ],
      flagNames: { parentOrganizationId: "parent", externalOrganizationId: "external-id" },
      flagHelp: {
        type: "List only organizations of this type: msp or customer",
        parentOrganizationId: "List only this MSP's customers",
        externalOrganizationId: "List only the organization with this external ID",
        status: "List only organizations with this status: active or blocked",
      },
    },
    "orgs.delete": {
      command: createDeleteCommand,
      description:
        "The license becomes available, and the organization's API keys stop working. Usage and billing may no longer include the organization's calls, so export usage and billing first. The service refuses to delete an MSP that has customers. With --cascade, voxctl deletes the customers first, in a run that you can resume and undo. The MSP's licenses are deleted together with the MSP.",
      examples: [
        { command: "voxctl orgs delete praxis-sommer" },
        { command: "voxctl orgs delete havel-it --cascade --dry-run" },
        { command: "voxctl orgs delete spree-kom --yes" },
      ],
      loses: async ({ client, id, signal }) => {
        for await (const row of client.items("orgs.list", {}, { signal, pageSize: 200 })) {
          if (!isFields(row) || organizationId(row) !== id) continue;
          const what = `${getText(row, "type")} ${getText(row, "externalOrganizationId")} "${getText(row, "name")}"`;
          return {
            what,
            consequence: `The organization's contents will be deleted, and its API keys will stop working. ${lostCalls}`,
          };
        }
        return { what: "organization" };
      },
    },
  },
};
