import { ClientError } from "../../client/errors.js";
import { organizationId } from "../../client/ids.js";
import type { Client } from "../../client/types.js";
import { readingOf } from "./lists.js";

/** Returns whether the distributor of the client's API key has an organization with one of these IDs. */
export async function hasOrganization(
  client: Client,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for await (const row of client.items("orgs.list", {}, { signal, pageSize: 200 })) {
    const id = organizationId(row);
    if (id !== undefined && ids.includes(id)) return true;
  }
  return false;
}

/** Returns whether the client's API key can read a group or an assistant with this ID. */
export async function hasResource(client: Client, id: string, signal: AbortSignal): Promise<boolean> {
  for (const resource of ["groups", "assistants"] as const) {
    const reading = readingOf(resource, id);
    try {
      if (reading) await client.call(reading.operation, { path: reading.path }, { signal });
      return true;
    } catch (error) {
      if (!(error instanceof ClientError) || (error.status !== 404 && error.status !== 403)) throw error;
    }
  }
  return false;
}
