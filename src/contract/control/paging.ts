import * as z from "zod";

/** Pages of a newest-first list: `before` is the last id of the previous page. */
export const olderThan = {
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  before: z.string().optional(),
};
