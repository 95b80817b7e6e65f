import * as z from "zod";

/** Query fields for paging a newest-first list; `before` is the last id of the previous page. */
export const olderThan = {
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  before: z.string().optional(),
};
