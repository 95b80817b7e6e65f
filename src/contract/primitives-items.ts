import * as z from "zod";
import { ruled } from "./assumed.js";

/** public.items.group-immutable: known by its name, so that a refusal can say why; nothing is accepted. */
export const ImmutableGroup = ruled(
  "public.items.group-immutable",
  z.never("can't be changed: an item stays in the group it was created in"),
);
