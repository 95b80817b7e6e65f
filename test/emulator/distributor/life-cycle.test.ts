import fc from "fast-check";
import { expect, it } from "vitest";
import { createOrganizationKey, distributorV2 } from "../../helpers/distributor.js";
import { unknownId } from "../../helpers/records.js";
import {
  type OpenTestEmulator,
  type Reply,
  type TestEmulator,
  testOnTransports,
} from "../../helpers/test-emulator.js";
import { Model, type Step } from "./life-cycle-model.js";

const msps = ["m1", "m2", "m3"];
const organizations = [...msps, "c1", "c2", "c3", "c4"];
const licenses = ["l1", "l2", "l3", "l4", "l5", "l6"];

const anyMsp = fc.constantFrom(...msps);
// With these names, a step can use a customer where the API requires an MSP.
const anyOrganization = fc.constantFrom(...organizations);
const anyLicense = fc.constantFrom(...licenses);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("msp" as const), organization: anyMsp, license: anyLicense }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("customer" as const),
      organization: anyOrganization,
      parent: fc.oneof({ weight: 9, arbitrary: anyMsp }, { weight: 1, arbitrary: anyOrganization }),
      license: anyLicense,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("upsert" as const),
      organization: fc.oneof({ weight: 9, arbitrary: anyMsp }, { weight: 1, arbitrary: anyOrganization }),
      license: anyLicense,
      status: fc.constantFrom("available" as const, "disabled" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("upsert" as const), organization: anyMsp, license: anyLicense }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("reassign" as const),
      organization: anyOrganization,
      license: anyLicense,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("delete" as const), organization: anyOrganization }),
  },
);

/** `ids` contains the IDs of the created organizations by external ID. */
async function send(emulator: TestEmulator, step: Step, ids: Map<string, string>): Promise<Reply> {
  const v2 = distributorV2(emulator);
  const id = ids.get(step.organization) ?? unknownId;
  switch (step.kind) {
    case "msp":
      return v2("POST", "/organizations", {
        body: {
          type: "msp",
          name: step.organization,
          externalOrganizationId: step.organization,
          license: { externalLicenseId: step.license },
        },
      });
    case "customer":
      return v2("POST", "/organizations", {
        body: {
          type: "customer",
          name: step.organization,
          parentOrganizationId: ids.get(step.parent) ?? unknownId,
          externalOrganizationId: step.organization,
          externalLicenseId: step.license,
        },
      });
    case "upsert":
      return v2("PATCH", `/organizations/${id}/licenses`, {
        body: { licenses: [{ externalLicenseId: step.license, status: step.status }] },
      });
    case "reassign":
      return v2("PATCH", `/organizations/${id}/license`, { body: { externalLicenseId: step.license } });
    case "delete":
      return v2("DELETE", `/organizations/${id}`);
  }
}

async function observed(emulator: TestEmulator) {
  const v2 = distributorV2(emulator);
  const tree = (await v2("GET", "/organizations/tree")).body.data;
  const seen: Record<string, unknown> = {};
  const names = new Map<string, string>();
  for (const msp of tree) {
    for (const organization of [msp, ...msp.customers])
      names.set(organization.id, organization.externalOrganizationId);
  }
  for (const msp of tree) {
    for (const organization of [msp, ...msp.customers]) {
      seen[organization.externalOrganizationId] = {
        parent: names.get(organization.parentOrganizationId) ?? null,
        license: organization.externalLicenseId,
        status: organization.status,
        blockedReason: organization.blockedReason,
      };
    }
    const owned = (await v2("PATCH", `/organizations/${msp.id}/licenses`, { body: { licenses: [] } })).body
      .data;
    for (const license of owned) {
      seen[license.externalLicenseId] = {
        owner: names.get(license.ownerOrganizationId),
        state: license.status,
        holder: names.get(license.assignedOrganizationId) ?? null,
      };
    }
  }
  return seen;
}

function expected(model: Model) {
  const state: Record<string, unknown> = {};
  for (const [name, { parent, license, blocked }] of model.organizations) {
    state[name] = {
      parent,
      license,
      status: blocked ? "blocked" : "active",
      blockedReason: blocked ? "license_disabled" : null,
    };
  }
  for (const [name, { owner }] of model.licenses) {
    state[name] = { owner, state: model.stateOf(name), holder: model.holderOf(name) ?? null };
  }
  return state;
}

async function walk(open: OpenTestEmulator, steps: readonly Step[]): Promise<void> {
  await using emulator = await open({ limits: { distributor: 1_000_000, read: 1_000_000 } });
  const model = new Model();
  const ids = new Map<string, string>();
  const keys: { organization: string; id: string; key: string }[] = [];
  for (const step of steps) {
    const expectedOutcome = model.take(step);
    const reply = await send(emulator, step, ids);
    const outcome = reply.status < 300 ? "ok" : reply.body.errorCode;
    expect({ step, answered: outcome }).toEqual({ step, answered: expectedOutcome });
    if (outcome === "ok" && (step.kind === "msp" || step.kind === "customer")) {
      const { id } = reply.body.data;
      ids.set(step.organization, id);
      keys.push({ organization: step.organization, id, key: await createOrganizationKey(emulator, id) });
    }
    expect(await observed(emulator)).toEqual(expected(model));
  }
  for (const { organization, id, key } of keys) {
    // If an organization was deleted, a newer organization can have its name.
    const now = ids.get(organization) === id ? model.organizations.get(organization) : undefined;
    const { status } = await emulator.ask("GET", "/ping", { key });
    expect(status).toBe(now === undefined ? 401 : now.blocked ? 402 : 200);
  }
}

const numRuns = process.env["PROOF"] ? 1_000 : 20;

testOnTransports("distributor v2: life cycle", (open) => {
  // plain-words: allow title-long
  it(`[v2.license.states property] [v2.license.reassign holds refuses property] [v2.license.delete property] [v2.license.disable property] [v2.delete.msp property] the emulator behaves like the model in ${numRuns} random sequences`, {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), (steps) => walk(open, steps)),
      { numRuns, seed: 4 },
    );
  });
});
