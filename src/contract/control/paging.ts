import * as z from "zod";

/** Query fields for paging through a list, newest first. `before` is the previous page's last ID. */
export const olderThan = {
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  before: z.string().optional(),
};
