interface Position {
  /** Position for messages, such as `line 7, customer optik-lange`. */
  at: string;
  /** Line in the spec, starting at 1; 0 if the line is unknown, for example in JSON. */
  line: number;
}

export interface PlannedLicense extends Position {
  id: string;
  product: string | undefined;
  /** Whether the license must be disabled; otherwise it must be enabled. */
  isDisabled?: boolean | undefined;
}

export interface PlannedCustomer extends Position {
  externalId: string;
  name: string;
  license: string;
}

export interface PlannedMsp extends Position {
  externalId: string;
  name: string;
  license: PlannedLicense;
  licenses: PlannedLicense[];
  customers: PlannedCustomer[];
}

export interface OrganizationSpec {
  /** Name with which later runs find the resources that earlier runs created. */
  name?: string | undefined;
  msps: PlannedMsp[];
}

export function licensesOf({ license, licenses, customers }: PlannedMsp): string[] {
  return [license.id, ...licenses.map(({ id }) => id), ...customers.map((customer) => customer.license)];
}

export interface SpecProblem {
  at: string;
  message: string;
  hint?: string | undefined;
}

export type SpecResult =
  | { spec: OrganizationSpec; problems: [] }
  | { spec: undefined; problems: SpecProblem[] };

/**
 * Checks that external IDs and licenses are unique and that each license is assigned only once (v2.duplicate,
 * v2.license.states). Empty IDs are skipped, because they have already been reported.
 */
export function checkSpec(spec: OrganizationSpec, earlier: SpecProblem[]): SpecResult {
  const problems = [...earlier];
  const once = (label: string) => {
    const seen = new Map<string, string>();
    return (id: string, at: string, what: string) => {
      if (id === "") return;
      const first = seen.get(id);
      if (first === undefined) seen.set(id, at);
      else problems.push({ at, message: `the ${label} ${id} is already ${what} in ${first}` });
    };
  };
  const organization = once("external id");
  const license = once("license");
  const holder = once("license");
  for (const msp of spec.msps) {
    organization(msp.externalId, msp.at, "listed");
    for (const owned of [msp.license, ...msp.licenses]) license(owned.id, owned.at, "listed");
    holder(msp.license.id, msp.at, "assigned");
    for (const customer of msp.customers) {
      organization(customer.externalId, customer.at, "listed");
      holder(customer.license, customer.at, "assigned");
    }
  }
  for (const msp of spec.msps) {
    for (const customer of msp.customers) {
      if (customer.license === "") continue;
      const owner = spec.msps.find((candidate) =>
        [candidate.license, ...candidate.licenses].some(({ id }) => id === customer.license),
      );
      // A license that no MSP in the spec lists may already exist (v2.create.customer).
      if (owner && owner !== msp) {
        problems.push({
          at: customer.at,
          message: `the license ${customer.license} belongs to another MSP, ${owner.externalId}`,
        });
      }
    }
  }
  return problems.length > 0 ? { spec: undefined, problems } : { spec, problems: [] };
}
