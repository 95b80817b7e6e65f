import * as z from "zod";
import type { TransportResponse } from "../../src/base/transport.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Emulator } from "../../src/emulator/types.js";

/**
 * Returns an organization spec with this many MSPs, licenses (including the MSPs' own) and customers, evenly
 * distributed.
 */
export function createPlan(counts: { msps: number; licenses: number; customers: number }) {
  const msps = Array.from({ length: counts.msps }, (_, index) => ({
    external_id: `msp-${index}`,
    name: `MSP ${index}`,
    license: { id: `base-${index}`, product: "MSP" },
    licenses: [] as { id: string; product: string }[],
    customers: [] as { external_id: string; name: string; license: string }[],
  }));
  const at = (index: number) => {
    const msp = msps[index % msps.length];
    if (!msp) throw new Error("an organization spec needs an MSP");
    return msp;
  };
  for (let index = 0; index < counts.licenses - counts.msps; index += 1) {
    at(index).licenses.push({ id: `seat-${index}`, product: "Seat" });
  }
  for (let index = 0; index < counts.customers; index += 1) {
    at(index).customers.push({
      external_id: `customer-${index}`,
      name: `Customer ${index}`,
      license: `seat-${index}`,
    });
  }
  return { msps };
}

export type Plan = ReturnType<typeof createPlan>;

/** Returns the expected tree after the run: each organization, and each license with its status. */
export function toTree(plan: Plan) {
  return plan.msps.map((msp) => ({
    externalId: msp.external_id,
    name: msp.name,
    license: msp.license.id,
    customers: msp.customers.map(({ external_id, name, license }) => ({
      externalId: external_id,
      name,
      license,
    })),
    licenses: [msp.license, ...msp.licenses].map(({ id, product }) => ({
      id,
      product,
      status:
        id === msp.license.id || msp.customers.some(({ license }) => license === id)
          ? "assigned"
          : "available",
    })),
  }));
}

const Organization = z.object({
  externalOrganizationId: z.string(),
  name: z.string(),
  externalLicenseId: z.string().nullable(),
});
const Tree = z.object({
  data: z.array(Organization.extend({ id: z.string(), customers: z.array(Organization) })),
});
const License = z.object({
  externalLicenseId: z.string(),
  product: z.string().nullish(),
  status: z.string(),
});
const Billing = z.object({ data: z.object({ licenses: z.array(License) }) });

/** Returns an emulator's organizations and licenses in the form that `toTree` returns. */
export async function readTree(emulator: Emulator): Promise<unknown> {
  const v2 = `http://emulator.localhost/api/distributor/v2`;
  // Use a separate key with a high limit, so that checks don't use up the run's limit.
  const { key } = (await emulator.control("POST", "/keys", {
    kind: "distributor",
    limits: { distributor: 1_000_000 },
  })) as { key: string };
  const read = async (path: string): Promise<unknown> => {
    const response = await emulator.fetch(
      new Request(v2 + path, { headers: { authorization: `Bearer ${key}` } }),
    );
    return response.json();
  };
  const tree = [];
  for (const msp of Tree.parse(await read("/organizations/tree")).data) {
    const billing = Billing.parse(await read(`/organizations/${msp.id}/billing-summary`)).data;
    const shown = (organization: z.infer<typeof Organization>) => ({
      externalId: organization.externalOrganizationId,
      name: organization.name,
      license: organization.externalLicenseId,
    });
    tree.push({
      ...shown(msp),
      customers: msp.customers.map(shown),
      licenses: billing.licenses.map((license) => ({
        id: license.externalLicenseId,
        product: license.product,
        status: license.status,
      })),
    });
  }
  return tree;
}

/**
 * Connects every profile to this emulator. Calls `kill` before or after the nth request (from 1) takes effect, and
 * blocks all later requests of the command.
 */
export function killedAt(
  emulator: Emulator,
  request: number,
  effect: "before" | "after",
  kill: () => void = () => {},
): Overrides {
  let count = 0;
  return {
    connect: async (profile, options) => {
      const inner = emulator.transport;
      const transport = async (...call: Parameters<typeof inner>): Promise<TransportResponse> => {
        count += 1;
        if (count < request) return inner(...call);
        if (count === request) {
          if (effect === "after") await inner(...call);
          kill();
        }
        throw new Error("killed");
      };
      return {
        ...connectEmulator({ ...emulator, startLine: emulator.startLine, transport }, profile, options),
        close: async () => {},
      };
    },
  };
}
