import type { Ask, Reply, TestWorld } from "./world.js";

type Asking = (method: string, path: string, options?: Ask) => Promise<Reply>;

/** Asks distributor v2 with its seeded key: `v2("GET", "/organizations")`. */
export function distributorV2(world: TestWorld): Asking {
  return (method, path, options) =>
    world.askHost(method, `/api/distributor/v2${path}`, { key: world.keys.distributor_v2, ...options });
}

/** Asks distributor v1 with its seeded key. */
export function distributorV1(world: TestWorld): Asking {
  return (method, path, options) =>
    world.askHost(method, `/api/distributor/v1${path}`, { key: world.keys.distributor_v1, ...options });
}

/** Asks the legacy interface with its seeded key. */
export function legacy(world: TestWorld): Asking {
  return (method, path, options) =>
    world.askHost(method, `/api/v1${path}`, { key: world.keys.legacy, ...options });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
function dataOf(reply: Reply, status: number): any {
  if (reply.status !== status) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

/** An MSP named like its external id, with the license `<id>-0` and further available ones. Answers it. */
export async function createMsp(world: TestWorld, externalId: string, licenses: readonly string[] = []) {
  const v2 = distributorV2(world);
  const msp = dataOf(
    await v2("POST", "/organizations", {
      body: {
        type: "msp",
        name: externalId,
        externalOrganizationId: externalId,
        license: { externalLicenseId: `${externalId}-0` },
      },
    }),
    201,
  );
  if (licenses.length > 0)
    await upsertLicenses(
      world,
      msp.id,
      licenses.map((id) => ({ externalLicenseId: id })),
    );
  return msp;
}

/** Upserts licenses of an MSP; answers all it has. */
export async function upsertLicenses(world: TestWorld, mspId: string, licenses: readonly object[]) {
  return dataOf(
    await distributorV2(world)("PATCH", `/organizations/${mspId}/licenses`, { body: { licenses } }),
    200,
  );
}

/** A customer of an MSP, named like its external id. Answers it. */
export async function createCustomer(
  world: TestWorld,
  mspId: string,
  externalId: string,
  externalLicenseId: string,
) {
  return dataOf(
    await distributorV2(world)("POST", "/organizations", {
      body: {
        type: "customer",
        name: externalId,
        parentOrganizationId: mspId,
        externalOrganizationId: externalId,
        externalLicenseId,
      },
    }),
    201,
  );
}

/** An organization as the distributor's list has it now; undefined when it is gone. */
export async function organizationNow(world: TestWorld, id: string) {
  const list = dataOf(await distributorV2(world)("GET", "/organizations?limit=200"), 200);
  return list.find((organization: { id: string }) => organization.id === id);
}

/** The status of each license of an MSP, by id. */
export async function licenseStates(world: TestWorld, mspId: string): Promise<Record<string, string>> {
  const licenses = await upsertLicenses(world, mspId, []);
  return Object.fromEntries(
    licenses.map((license: { externalLicenseId: string; status: string }) => [
      license.externalLicenseId,
      license.status,
    ]),
  );
}

/** A key of the Public API for an organization. */
export async function organizationKey(world: TestWorld, organizationId: string): Promise<string> {
  return (await world.control("POST", "/keys", { kind: "public", organization_id: organizationId })).key;
}

/** An assistant of the key's organization. Answers it. */
export async function createAssistant(world: TestWorld, key: string) {
  const voices = dataOf(await world.ask("GET", "/voices", { key }), 200);
  return dataOf(
    await world.ask("POST", "/assistants", {
      key,
      body: {
        name: "Front desk",
        language: "de",
        voice_id: voices[0].id,
        company_name: "Company",
        company_industry: "Trade",
        introduction: "Guten Tag.",
      },
    }),
    201,
  );
}
