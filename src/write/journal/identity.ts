import { createHash } from "node:crypto";
import * as z from "zod";
import type { Journal } from "./journal.js";

/** Type of a run, named after what the run changes. Undos have separate types. */
export type RunType =
  | "contacts"
  | "glossary"
  | "pronunciation"
  | "knowledge"
  | "provisioning"
  | "apply"
  | "fleet";

/**
 * A command with the same input, options and target continues the same run. The journal stores the identity.
 */
export interface RunIdentity {
  /** Type of the run, or of its undo, such as `contacts.undo`. `runs list` prints it. */
  kind: string;
  base_url: string;
  /**
   * ID of the emulator state; null for a deployment. A reset changes the ID, so earlier runs are not resumed.
   */
  world: string | null;
  group_id: string;
  /** SHA-256 of the input. */
  digest: string;
  /** Options that affect the processing of rows. */
  options: unknown;
}

const Identity = z.object({
  kind: z.string(),
  base_url: z.string(),
  world: z.string().nullable(),
  group_id: z.string(),
  digest: z.string(),
  options: z.unknown(),
});

export function identityOf(journal: Journal): RunIdentity | undefined {
  return Identity.safeParse(journal.setting("identity")).data;
}

interface Service {
  base_url: string | null;
  world: string | null;
}

/**
 * Returns the emulator state's ID or, for a deployment, the base URL. An emulator can have several addresses.
 */
export function serviceIdOf({ base_url, world }: Service): string | null {
  return world ?? base_url;
}

export function isSameService(left: Service, right: Service): boolean {
  return serviceIdOf(left) === serviceIdOf(right);
}

export function prefixOf(identity: object): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12);
}
