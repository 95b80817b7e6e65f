import type { Ask, Reply, TestEmulator } from "./test-emulator.js";

type Asking = (method: string, path: string, options?: Ask) => Promise<Reply>;

/** Sends a request to distributor API v2 with its seeded key: `v2("GET", "/organizations")`. */
export function distributorV2(emulator: TestEmulator): Asking {
  return (method, path, options) =>
    emulator.askHost(method, `/api/distributor/v2${path}`, { key: emulator.keys.distributor_v2, ...options });
}

export function distributorV1(emulator: TestEmulator): Asking {
  return (method, path, options) =>
    emulator.askHost(method, `/api/distributor/v1${path}`, { key: emulator.keys.distributor_v1, ...options });
}

export function legacy(emulator: TestEmulator): Asking {
  return (method, path, options) =>
    emulator.askHost(method, `/api/v1${path}`, { key: emulator.keys.legacy, ...options });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
function dataOf(reply: Reply, status: number): any {
  if (reply.status !== status) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

/**
 * Creates an MSP with the license `<id>-0` and these additional licenses. The MSP's name is its external ID.
 * Returns the MSP.
 */
export async function createMsp(
  emulator: TestEmulator,
  externalId: string,
  licenses: readonly string[] = [],
) {
  const v2 = distributorV2(emulator);
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
      emulator,
      msp.id,
      licenses.map((id) => ({ externalLicenseId: id })),
    );
  return msp;
}

/** Upserts licenses of an MSP. Returns all its licenses. */
export async function upsertLicenses(emulator: TestEmulator, mspId: string, licenses: readonly object[]) {
  return dataOf(
    await distributorV2(emulator)("PATCH", `/organizations/${mspId}/licenses`, { body: { licenses } }),
    200,
  );
}

/** Creates a customer of an MSP. The customer's name is its external ID. Returns the customer. */
export async function createCustomer(
  emulator: TestEmulator,
  mspId: string,
  externalId: string,
  externalLicenseId: string,
) {
  return dataOf(
    await distributorV2(emulator)("POST", "/organizations", {
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

/** Returns an organization from the distributor's list; undefined if it was deleted. */
export async function readOrganization(emulator: TestEmulator, id: string) {
  const list = dataOf(await distributorV2(emulator)("GET", "/organizations?limit=200"), 200);
  return list.find((organization: { id: string }) => organization.id === id);
}

export async function readLicenseStates(
  emulator: TestEmulator,
  mspId: string,
): Promise<Record<string, string>> {
  const licenses = await upsertLicenses(emulator, mspId, []);
  return Object.fromEntries(
    licenses.map((license: { externalLicenseId: string; status: string }) => [
      license.externalLicenseId,
      license.status,
    ]),
  );
}

export async function createOrganizationKey(emulator: TestEmulator, organizationId: string): Promise<string> {
  return (await emulator.control("POST", "/keys", { kind: "public", organization_id: organizationId })).key;
}

export async function createAssistant(emulator: TestEmulator, key: string) {
  const voices = dataOf(await emulator.ask("GET", "/voices", { key }), 200);
  return dataOf(
    await emulator.ask("POST", "/assistants", {
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
