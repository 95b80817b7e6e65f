import type { licenses } from "../../contract/distributor/licenses.js";
import type { DistributorContext, Handlers } from "../context.js";
import {
  createLicense,
  disable,
  enable,
  findLicense,
  findLicenses,
  reassign,
  requireAvailable,
} from "./lifecycle.js";
import { requireOrganization, showOrganization } from "./organizations.js";
import { refuse } from "./policy.js";

export const licenseHandlers: Handlers<typeof licenses, DistributorContext> = {
  // Creates the license if its ID is unknown (v2.licenses.upsert, D-v2-licenses).
  "licenses.upsert": (context, { path, body }) => {
    const msp = requireOrganization(context, path.organizationId);
    if (msp.type !== "msp") {
      throw refuse(
        "VALIDATION_ERROR",
        "D-v2-licenses",
        `${msp.externalId} is a customer; only MSPs own licenses`,
      );
    }
    for (const licenseInput of body.licenses) {
      const existing = findLicense(context, licenseInput.externalLicenseId);
      if (existing && existing.ownerId !== msp.id) {
        throw refuse(
          "LICENSE_NOT_AVAILABLE",
          "D-v2-create",
          `the license ${licenseInput.externalLicenseId} belongs to another MSP`,
        );
      }
      const license =
        existing ??
        createLicense(context, {
          externalId: licenseInput.externalLicenseId,
          product: licenseInput.product ?? null,
          ownerId: msp.id,
        });
      if (licenseInput.product !== undefined && licenseInput.product !== license.product) {
        context.database
          .prepare("UPDATE licenses SET product = ?, updated_at = ? WHERE id = ?")
          .run(licenseInput.product, context.now, license.id);
      }
      if (licenseInput.status === "disabled") disable(context, license);
      if (licenseInput.status === "available") enable(context, license);
    }
    return findLicenses(context, msp.id);
  },

  "licenses.reassign": (context, { path, body }) => {
    const organization = requireOrganization(context, path.organizationId);
    const ownerId = organization.parentId ?? organization.id;
    const license = requireAvailable(context, body.externalLicenseId, ownerId, "D-v2-reassign");
    reassign(context, organization, license);
    return showOrganization(requireOrganization(context, organization.id));
  },
};
