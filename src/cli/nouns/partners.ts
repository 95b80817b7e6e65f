import { partners as partnerOperations } from "../../contract/distributor/partners.js";
import type { Noun } from "../derive/noun.js";

/** Usage and billing have their own commands, which support both versions of the distributor API. */
const { "partners.usage": _usage, "partners.billing": _billing, ...operations } = partnerOperations;

export const partners: Noun = {
  name: "partners",
  noun: "partner",
  plural: "partners",
  summary: "Manage partners (distributor API v1)",
  operations,
  columns: [
    { header: "EXTERNAL ID", value: "externalPartnerId", keep: true },
    { header: "NAME", value: "name" },
    { header: "STATUS", value: "status", as: "status", keep: true },
    { header: "ORGANIZATION", value: "organizationId", keep: true, optional: true },
    { header: "CREATED", value: "createdAt", as: "time", keep: true, optional: true },
  ],
  verbs: {
    "partners.list": {
      examples: [{ command: "voxctl partners list" }, { command: "voxctl partners list --all -o json" }],
    },
    "partners.get": { examples: [{ command: "voxctl partners get altstadt-edv" }] },
    "partners.create": {
      description: "The service also creates an internal MSP organization for the partner.",
      examples: [{ command: 'voxctl partners create --external-id neustadt-edv --name "Neustadt EDV"' }],
      flagNames: { externalPartnerId: "external-id" },
      flagHelp: { externalPartnerId: "Your own ID for the partner" },
    },
    "partners.update": {
      examples: [{ command: 'voxctl partners update altstadt-edv --name "Altstadt EDV GmbH"' }],
    },
    "partners.delete": {
      description:
        "First delete the partner's customers (`voxctl customers delete`) and its internal organization (`voxctl orgs delete`).",
      examples: [{ command: "voxctl partners delete neustadt-edv --yes" }],
    },
  },
};
