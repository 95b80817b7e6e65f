import * as z from "zod";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { RunIdentity } from "../../write/journal/identity.js";
import { contactAdapter } from "./contacts/adapter.js";
import { itemAdapter } from "./items/item-type.js";
import { itemTypeOf } from "./items/item-types.js";

const Matching = z.object({ match: z.array(z.enum(["phone", "email", "name"])) });

const Unmatched = z.object({ on_match: z.literal("create") });

/** Returns the adapter that resumes or undoes an import run; undefined for other types of runs. */
export function importAdapterOf({ kind, options }: RunIdentity): ImportAdapter | undefined {
  if (kind === "contacts") return contactAdapter(Matching.safeParse(options).data?.match ?? []);
  const type = itemTypeOf(kind);
  return type && itemAdapter(type);
}

/**
 * Returns a function that returns the identifying fields of a row, or no fields if the run doesn't compare
 * rows with existing resources.
 */
export function matchIdentityOf(run: RunIdentity): ImportAdapter["identity"] {
  const adapter = Unmatched.safeParse(run.options).success ? undefined : importAdapterOf(run);
  return adapter?.identity ?? (() => ({}));
}
