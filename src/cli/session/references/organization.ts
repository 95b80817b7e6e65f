import { sentOrganizationId } from "../../../client/ids.js";
import type { Referable } from "./references.js";

/** An organization, by the distributor's own identifier, or by its name if it is unique. */
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

/** An MSP, by the distributor's own identifier, or by its name if it is unique. */
export const msp: Referable = { ...organization, noun: "MSP", where: { type: "msp" } };
