import { idText, sentOrganizationId } from "../../../client/ids.js";
import type { Referable } from "./references.js";

export const organization: Referable = {
  list: "orgs.list",
  noun: "organization",
  label: "externalOrganizationId",
  otherLabel: "name",
  given: "external ID, name or ID",
  search: "search",
  distinction: "type",
  idOf: sentOrganizationId,
};

export const msp: Referable = {
  ...organization,
  noun: "MSP",
  where: { type: "msp" },
  describeExcluded({ name, row }, names) {
    const parent = names.get(idText(row["parentOrganizationId"]) ?? "");
    return {
      message: `${name} is a customer, not an MSP`,
      hint:
        parent === undefined
          ? "to list the MSPs, run `voxctl orgs list --type msp`"
          : `use the customer's MSP, ${parent}`,
    };
  },
};
