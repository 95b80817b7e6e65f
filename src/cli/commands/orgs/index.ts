import { collectTexts, createWordMatcher } from "../../../base/text-matching.js";
import { organizationId } from "../../../client/ids.js";
import { orgs as orgOperations } from "../../../contract/distributor/orgs.js";
import type { Noun } from "../../derive/noun.js";
import type { RowFilter } from "../../derive/row-filters.js";
import { getText, isFields } from "../../output/fields.js";
import { msp, organization } from "../../session/references/organization.js";
import { organizationColumns } from "../distributor/organizations.js";
import { organizationList } from "./list.js";

const searchFilter: RowFilter = {
  flag: {
    name: "search",
    value: "text",
    description: "only organizations with words that begin so, in names or external ids",
  },
  read: (typed) => {
    const isMatch = createWordMatcher(typed);
    return ({ name, externalOrganizationId: id }) => {
      const texts = [...collectTexts(name), ...collectTexts(id)];
      return texts.length === 0 ? undefined : isMatch(texts.join(" "));
    };
  },
};

/** The tree is a form of the list. */
const { "orgs.tree": _tree, ...operations } = orgOperations;

export const orgs: Noun = {
  name: "orgs",
  noun: "organization",
  plural: "organizations",
  summary: "Organizations of a distributor: MSPs and their customers",
  description: "The external id can stand for the id everywhere, and so can a name that only one has.",
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
      summary: "Create an MSP with its license, or a customer",
      load: async () => (await import("./create.js")).createOrganization,
    },
    {
      name: "provision",
      summary: "Create what a plan of MSPs, licenses and customers says",
      load: async () => (await import("./provision.js")).provision,
    },
    {
      name: "export",
      summary: "Write what is there as a plan for orgs provision",
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
        { command: "voxctl orgs list --tree --parent havel-it", note: "one MSP with its customers" },
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
          const what = `${getText(row, "type")} ${getText(row, "externalOrganizationId")} "${getText(row, "name")}"`;
          return { what, consequence: "Everything in it goes with it, and its API keys stop working." };
        }
        return { what: "organization" };
      },
    },
  },
};
