import type { Inventory } from "./inventory.js";

/** Predicts which licenses exist, and who holds them, after the steps planned so far (v2.license.states). */
export interface Simulation {
  hasLicense(license: string): boolean;
  isOwnedByAnotherMsp(license: string, msp: string): boolean;
  isFree(msp: string, license: string): boolean;
  spareOf(msp: string): string | undefined;
  holderOf(license: string): string | undefined;
  licenseOf(externalId: string): string | undefined;
  hasOrganization(externalId: string): boolean;
  hasCustomers(msp: string): boolean;
  addMsp(externalId: string, license: string): void;
  addLicense(msp: string, license: string): void;
  addCustomer(msp: string, externalId: string, license: string): void;
  give(externalId: string, license: string): void;
  enable(license: string): void;
  remove(externalId: string): void;
}

interface License {
  owner: string;
  isDisabled: boolean;
}

/** Identifies MSPs by external ID, because new MSPs have no ID yet. */
export function createSimulation({ organizations, licenses, unknownLicenses }: Inventory): Simulation {
  const known = new Map<string, License>();
  const parents = new Map<string, string | undefined>();
  const held = new Map<string, string>();
  const holders = new Map<string, string>();
  const children = new Map<string, number>();
  const unknown = new Set<string>();
  const externalIds = new Map([...organizations.values()].map(({ id, externalId }) => [id, externalId]));
  const count = (msp: string | undefined, more: number) => {
    if (msp !== undefined) children.set(msp, (children.get(msp) ?? 0) + more);
  };
  const take = (externalId: string, license: string) => {
    held.set(externalId, license);
    holders.set(license, externalId);
  };
  const release = (externalId: string) => {
    const license = held.get(externalId);
    held.delete(externalId);
    if (license !== undefined) holders.delete(license);
  };
  for (const { externalId, parentId, license } of organizations.values()) {
    const parent = parentId === undefined ? undefined : externalIds.get(parentId);
    parents.set(externalId, parent);
    count(parent, 1);
    if (typeof license === "string") take(externalId, license);
  }
  for (const [mspId, owned] of licenses) {
    const owner = externalIds.get(mspId);
    if (owner === undefined) continue;
    if (unknownLicenses.has(mspId)) unknown.add(owner);
    for (const { id, status } of owned.values()) known.set(id, { owner, isDisabled: status === "disabled" });
  }
  const isFree = (msp: string, id: string) => {
    if (holders.has(id)) return false;
    const license = known.get(id);
    // Assume that the license is free if the service doesn't return the MSP's licenses.
    return license === undefined ? unknown.has(msp) : license.owner === msp && !license.isDisabled;
  };
  return {
    hasLicense: (license) => known.has(license),
    isOwnedByAnotherMsp: (license, msp) => (known.get(license)?.owner ?? msp) !== msp,
    isFree,
    spareOf: (msp) => [...known.keys()].find((id) => isFree(msp, id)),
    holderOf: (license) => holders.get(license),
    licenseOf: (externalId) => held.get(externalId),
    hasOrganization: (externalId) => parents.has(externalId),
    hasCustomers: (msp) => (children.get(msp) ?? 0) > 0,
    addMsp(externalId, license) {
      parents.set(externalId, undefined);
      known.set(license, { owner: externalId, isDisabled: false });
      take(externalId, license);
    },
    addLicense: (owner, license) => void known.set(license, { owner, isDisabled: false }),
    addCustomer(msp, externalId, license) {
      parents.set(externalId, msp);
      count(msp, 1);
      take(externalId, license);
    },
    give(externalId, license) {
      release(externalId);
      take(externalId, license);
    },
    enable(license) {
      const current = known.get(license);
      if (current) known.set(license, { ...current, isDisabled: false });
    },
    remove(externalId) {
      release(externalId);
      count(parents.get(externalId), -1);
      parents.delete(externalId);
      // The service deletes an MSP's licenses together with the MSP (D-v2-delete).
      for (const [id, { owner }] of known) if (owner === externalId) known.delete(id);
    },
  };
}
