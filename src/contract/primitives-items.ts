import * as z from "zod";
import { ruled } from "./assumed.js";

/**
 * A field that accepts no value. The field exists so that the error can state the reason
 * (public.items.group-immutable).
 */
export const ImmutableGroup = ruled(
  "public.items.group-immutable",
  z.never("can't be changed; an item stays in the group in which it was created"),
);
