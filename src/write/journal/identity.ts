import { createHash } from "node:crypto";
import * as z from "zod";
import type { Journal } from "./journal.js";

/** The change that a run makes; its undo is a run of another type. */
export type RunType = "contacts" | "glossary" | "pronunciation" | "knowledge" | "provisioning" | "apply";

/**
 * The identity of a run: the same rows for the same target. Also kept in the journal, to describe the run to
 * the user.
 */
export interface RunIdentity {
  /** The type of the run or undo (`contacts.undo`), as `runs list` prints it. */
  kind: string;
  base_url: string;
  /**
   * Id of the emulator state; null for a deployment. Changes on a reset, so that earlier runs are not
   * resumed.
   */
  world: string | null;
  group_id: string;
  /** SHA-256 of the input. */
  digest: string;
  /** Options that affect how a row is handled. */
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

/** Returns the identity in the journal of a run; undefined if it was never written. */
export function identityOf(journal: Journal): RunIdentity | undefined {
  return Identity.safeParse(journal.setting("identity")).data;
}

/** Returns the prefix of the ids of all runs of the same identity. */
export function prefixOf(identity: object): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12);
}
