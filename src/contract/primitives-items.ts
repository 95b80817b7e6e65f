import * as z from "zod";
import { ruled } from "./assumed.js";

/** public.items.group-immutable: defined so that a refusal can give the reason; no value is accepted. */
export const ImmutableGroup = ruled(
  "public.items.group-immutable",
  z.never("can't be changed: an item stays in the group in which it was created"),
);
