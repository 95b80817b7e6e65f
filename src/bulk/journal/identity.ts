import { createHash } from "node:crypto";
import * as z from "zod";
import type { Journal } from "./journal.js";

/** What a run does; its undo is a run of another type. */
export type RunType = "contacts" | "glossary" | "pronunciation" | "knowledge" | "provisioning";

/**
 * What makes two runs the same: the same rows for the same target. Kept in the journal, too, to tell a person what a
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

/** What a run was of, as its journal has it; undefined where that was never written. */
export function identityOf(journal: Journal): RunIdentity | undefined {
  return Identity.safeParse(journal.setting("identity")).data;
}

/** What the ids of runs of the same identity begin with. */
export function prefixOf(identity: object): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12);
}
