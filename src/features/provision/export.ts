import {
  type InventoryContext,
  isMsp,
  type KnownLicense,
  type KnownOrganization,
  readInventory,
} from "./inventory.js";
import type { PlannedMsp } from "./organization-spec.js";

interface ExportedLicense {
  id: string;
  product?: string;
  status?: "disabled";
}

export interface ExportedSpec {
  msps: {
    external_id: string;
    name: string;
    license: ExportedLicense;
    licenses: (string | ExportedLicense)[];
    customers: { external_id: string; name: string; license: string }[];
  }[];
}

export interface NotExported {
  externalId: string;
  reason: string;
}

/**
 * Reads organizations and licenses as a spec. Provisioning this spec would make no changes.
 * @throws see `readInventory`
 */
export async function exportSpec(
  context: InventoryContext,
): Promise<{ spec: ExportedSpec; left: NotExported[] }> {
  const first = await readInventory(context, { msps: [] });
  const named = [...first.organizations.values()].filter(isMsp).map(planned);
  const { organizations, licenses } = await readInventory(context, { msps: named }, { earlier: first });
  const left: NotExported[] = [];
  const spec: ExportedSpec = { msps: [] };
  const all = [...organizations.values()];
  for (const msp of all.filter(isMsp)) {
    const own = licenses.get(msp.id);
    const ownCustomers = all.filter(({ parentId }) => parentId === msp.id);
    if (msp.name === undefined || typeof msp.license !== "string") {
      left.push({ externalId: msp.externalId, reason: lackOf(msp) });
      for (const { externalId } of ownCustomers)
        left.push({ externalId, reason: `it belongs to ${msp.externalId}, which is skipped` });
      continue;
    }
    const otherLicenses = [...(own?.values() ?? [])].filter(({ id }) => id !== msp.license);
    const customers = [];
    for (const customer of ownCustomers) {
      if (customer.name === undefined || typeof customer.license !== "string")
        left.push({ externalId: customer.externalId, reason: lackOf(customer) });
      else
        customers.push({ external_id: customer.externalId, name: customer.name, license: customer.license });
    }
    spec.msps.push({
      external_id: msp.externalId,
      name: msp.name,
      license: exportedLicense(own?.get(msp.license) ?? { id: msp.license }),
      licenses: otherLicenses.map((license) => {
        const exported = exportedLicense(license);
        return Object.keys(exported).length === 1 ? license.id : exported;
      }),
      customers,
    });
  }
  return { spec, left };
}

function exportedLicense({ id, product, status }: Partial<KnownLicense> & { id: string }): ExportedLicense {
  return {
    id,
    ...(typeof product === "string" ? { product } : {}),
    ...(status === "disabled" ? { status } : {}),
  };
}

function planned({ externalId, name = "", license }: KnownOrganization): PlannedMsp {
  const position = { at: externalId, line: 0 };
  return {
    ...position,
    externalId,
    name,
    license: { ...position, id: license ?? "", product: undefined },
    licenses: [],
    customers: [],
  };
}

function lackOf({ name, license }: KnownOrganization): string {
  if (license === null) return "it has no license, but a spec requires one";
  return name === undefined ? "the service returns no name" : "the service returns no license";
}
