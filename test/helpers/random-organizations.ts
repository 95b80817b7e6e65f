import fc from "fast-check";

/** Sends a request to a distributor API; the path is relative to its base path. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Ask = (method: string, path: string, body?: unknown) => Promise<{ data: any }>;

/** One random write. The numbers select one of the existing organizations and licenses. */
export interface OrganizationAction {
  verb: number;
  organizationIndex: number;
  licenseIndex: number;
}

export const randomOrganizationWrite = fc.record<OrganizationAction>({
  verb: fc.nat(6),
  organizationIndex: fc.nat(1_000),
  licenseIndex: fc.nat(1_000),
});

/** Sends a random write. Many writes are refused, because organizations refer to each other. */
export async function actOnOrganizations(
  ask: Ask,
  { verb, organizationIndex, licenseIndex }: OrganizationAction,
): Promise<void> {
  const { data: all } = await ask("GET", "/organizations?limit=200");
  // biome-ignore lint/suspicious/noExplicitAny: rows of any shape
  const pick = (rows: any[], number: number) => rows[number % Math.max(1, rows.length)];
  const msps = all.filter(({ type }: { type: string }) => type === "msp");
  const [organization, msp] = [pick(all, organizationIndex), pick(msps, organizationIndex)];
  const licenses = msp ? (await ask("GET", `/organizations/${msp.id}/billing-summary`)).data.licenses : [];
  const license: string = pick(licenses, licenseIndex)?.externalLicenseId ?? "none";
  switch (verb) {
    case 0:
      await ask("POST", "/organizations", {
        type: "msp",
        name: `MSP ${organizationIndex}`,
        externalOrganizationId: `msp-${organizationIndex}`,
        license: { externalLicenseId: `base-${licenseIndex}`, product: "MSP" },
      });
      break;
    case 1:
      await ask("POST", "/organizations", {
        type: "customer",
        name: `Customer ${organizationIndex}`,
        externalOrganizationId: `customer-${organizationIndex}-${licenseIndex}`,
        parentOrganizationId: msp?.id,
        externalLicenseId: license,
      });
      break;
    case 2:
      if (organization) await ask("DELETE", `/organizations/${organization.id}`);
      break;
    case 3:
      if (organization)
        await ask("PATCH", `/organizations/${organization.id}/license`, { externalLicenseId: license });
      break;
    default: {
      const status = [undefined, "available", "disabled"][licenseIndex % 3];
      const ids = [license, `more-${licenseIndex % 50}`].slice(organizationIndex % 2);
      if (msp)
        await ask("PATCH", `/organizations/${msp.id}/licenses`, {
          licenses: ids.map((externalLicenseId) => ({
            externalLicenseId,
            product: `P${licenseIndex % 4}`,
            status,
          })),
        });
    }
  }
}
