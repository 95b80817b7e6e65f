import { sentOrganizationId } from "../../../client/ids.js";
import type { Referable } from "./references.js";

/** An organization, by external id, or by name if the name is unique. */
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

/** An MSP, by external id, or by name if the name is unique. */
export const msp: Referable = { ...organization, noun: "MSP", where: { type: "msp" } };
