import { createHash } from "node:crypto";
import * as z from "zod";
import type { Journal } from "./journal.js";

/** The change that a run makes; its undo is a run of another type. */
export type RunType = "contacts" | "glossary" | "pronunciation" | "knowledge" | "provisioning" | "apply";

/**
 * The identity of a run: the same rows for the same target. Kept in the journal, too, to tell a person what a
 * run was.
 */
export interface RunIdentity {
  /** The run's type, or an undo's (`contacts.undo`); called so in what `runs list` prints, too. */
  kind: string;
  base_url: string;
  /** An emulator's world; null of a deployment. New after a reset, so that its runs don't go on in another world. */
  world: string | null;
  group_id: string;
  /** SHA-256 of the input. */
  digest: string;
  /** Those that change what is done with a row. */
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

/** The identity in a run's journal; undefined where it was never written. */
export function identityOf(journal: Journal): RunIdentity | undefined {
  return Identity.safeParse(journal.setting("identity")).data;
}

/** The beginning of the ids of all runs of the same identity. */
export function prefixOf(identity: object): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12);
}
