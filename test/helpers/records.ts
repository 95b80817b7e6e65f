import type { DataAt } from "./contract-types.js";
import type { TestEmulator } from "./test-emulator.js";

/** Creates a contact in the default group. Returns the contact. */
export async function createContact(
  emulator: TestEmulator,
  fields: object = {},
): Promise<DataAt<"POST", "/contacts">> {
  const group_id = await emulator.groupId("contacts");
  const created = await emulator.ask("POST", "/contacts", {
    body: { group_id, first_name: "Ada", ...fields },
  });
  if (created.status !== 201) throw new Error(`no contact: ${JSON.stringify(created.body)}`);
  return created.body.data;
}

export async function createGroup(
  emulator: TestEmulator,
  type: string,
  name: string,
): Promise<DataAt<"POST", "/groups">> {
  const created = await emulator.ask("POST", "/groups", { body: { type, name } });
  if (created.status !== 201) throw new Error(`no group: ${JSON.stringify(created.body)}`);
  return created.body.data;
}

export async function createOtherOrganization(
  emulator: TestEmulator,
): Promise<{ organizationId: string; key: string }> {
  const organization = await emulator.control("POST", "/organizations", { name: "Stranger" });
  const key = await emulator.control("POST", "/keys", { kind: "public", organization_id: organization.id });
  return { organizationId: organization.id, key: key.key };
}

/** A valid ID that no resource has. */
export const unknownId = "0123456789abcdef01234567";
