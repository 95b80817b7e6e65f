import * as z from "zod";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { RunIdentity } from "../../write/journal/identity.js";
import { contactAdapter } from "./contacts/adapter.js";
import { itemAdapter } from "./items/item-type.js";
import { itemTypeOf } from "./items/item-types.js";

/** How a run of contacts compares, as its journal has it. */
const Matching = z.object({ match: z.array(z.enum(["phone", "email", "name"])) });

/** A run that compares no rows with existing resources. */
const Unmatched = z.object({ on_match: z.literal("create") });

/** The adapter that resumes or undoes an import; undefined for a run of another type. */
export function importAdapterOf({ kind, options }: RunIdentity): ImportAdapter | undefined {
  if (kind === "contacts") return contactAdapter(Matching.safeParse(options).data?.match ?? []);
  const type = itemTypeOf(kind);
  return type && itemAdapter(type);
}

/** Returns the values by which a row of a run matches a resource; none if the run compares no rows. */
export function matchIdentityOf(run: RunIdentity): ImportAdapter["identity"] {
  const adapter = Unmatched.safeParse(run.options).success ? undefined : importAdapterOf(run);
  return adapter?.identity ?? (() => ({}));
}
