import { type Fields, isFields } from "../../../base/fields.js";
import type { Client } from "../../../client/types.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import type { Input } from "../../session/input.js";
import type { Referred } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";

export const mspArgument = { name: "msp", description: "External ID, name or ID of the MSP" };
export const licenseArgument = { name: "license", description: "License ID" };

export function readArgument(input: Input, index: number, name: string): string {
  const value = input.arguments[index] ?? "";
  if (value === "") throw usageError(`<${name}> is empty`);
  return value;
}

/**
 * Returns the licenses in a billing summary; undefined if the summary has no list of licenses. The summary's
 * fields are not documented (v2.billing).
 */
export function findLicenses(summary: unknown): Fields[] | undefined {
  const licenses = isFields(summary) ? summary["licenses"] : undefined;
  return Array.isArray(licenses) && licenses.every(isFields) ? licenses : undefined;
}

/** @throws ClientError; CliError (9) if the billing summary has no list of licenses, not even an empty one */
export async function readLicenses(
  client: Client,
  organizationId: string,
  session: Session,
): Promise<Fields[]> {
  const { data } = await client.call("billing.get", { path: { organizationId } }, { signal: session.signal });
  const licenses = findLicenses(data);
  if (licenses) return licenses;
  throw new CliError({
    exit: exits.unavailable,
    code: "licenses_not_shown",
    message: "this service's billing summary does not list licenses",
    hint: "to show each organization's license, run `voxctl orgs list`",
  });
}

export function formatHolder({ name, otherName: displayName }: Referred): string {
  return displayName ? `${displayName} (${name})` : name;
}
