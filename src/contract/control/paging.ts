import * as z from "zod";

/** For lists that are sorted from newest to oldest; `before` is the last ID of the previous page. */
export const olderThan = {
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  before: z.string().optional(),
};
