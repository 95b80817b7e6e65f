import { sentOrganizationId } from "../../../client/ids.js";
import type { Referable } from "./references.js";

/** An organization, by the distributor's own identifier, or its name where no other has it. */
export const organization: Referable = {
  list: "orgs.list",
  noun: "organization",
  label: "externalOrganizationId",
  otherLabel: "name",
  given: "external id, name or id",
  search: "search",
  distinction: "type",
  idOf: sentOrganizationId,
};

/** The same, where only an MSP will do. */
export const msp: Referable = { ...organization, noun: "MSP", where: { type: "msp" } };
