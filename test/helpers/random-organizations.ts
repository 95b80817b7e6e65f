import fc from "fast-check";

/** Asks a distributor's interface: the path is below its base address. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Ask = (method: string, path: string, body?: unknown) => Promise<{ data: any }>;

/** One random write; organizations and licenses are chosen by number among those that there are. */
export interface OrganizationAction {
  verb: number;
  thing: number;
  other: number;
}

export const randomOrganizationWrite = fc.record<OrganizationAction>({
  verb: fc.nat(6),
  thing: fc.nat(1_000),
  other: fc.nat(1_000),
});

/** Many are refused, as many things go wrong with organizations that refer to each other. */
export async function actOnOrganizations(
  ask: Ask,
  { verb, thing, other }: OrganizationAction,
): Promise<void> {
  const { data: all } = await ask("GET", "/organizations?limit=200");
  // biome-ignore lint/suspicious/noExplicitAny: rows of any shape
  const pick = (rows: any[], number: number) => rows[number % Math.max(1, rows.length)];
  const msps = all.filter(({ type }: { type: string }) => type === "msp");
  const [one, msp] = [pick(all, thing), pick(msps, thing)];
  const licenses = msp ? (await ask("GET", `/organizations/${msp.id}/billing-summary`)).data.licenses : [];
  const license: string = pick(licenses, other)?.externalLicenseId ?? "none";
  switch (verb) {
    case 0:
      await ask("POST", "/organizations", {
        type: "msp",
        name: `MSP ${thing}`,
        externalOrganizationId: `msp-${thing}`,
        license: { externalLicenseId: `base-${other}`, product: "MSP" },
      });
      break;
    case 1:
      await ask("POST", "/organizations", {
        type: "customer",
        name: `Customer ${thing}`,
        externalOrganizationId: `customer-${thing}-${other}`,
        parentOrganizationId: msp?.id,
        externalLicenseId: license,
      });
      break;
    case 2:
      if (one) await ask("DELETE", `/organizations/${one.id}`);
      break;
    case 3:
      if (one) await ask("PATCH", `/organizations/${one.id}/license`, { externalLicenseId: license });
      break;
    default: {
      const status = [undefined, "available", "disabled"][other % 3];
      const ids = [license, `more-${other % 50}`].slice(thing % 2);
      if (msp)
        await ask("PATCH", `/organizations/${msp.id}/licenses`, {
          licenses: ids.map((externalLicenseId) => ({ externalLicenseId, product: `P${other % 4}`, status })),
        });
    }
  }
}
