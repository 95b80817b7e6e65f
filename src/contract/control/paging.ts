import * as z from "zod";

/** Pages of a list that is newest first: `before` is the last id of the page before. */
export const olderThan = {
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  before: z.string().optional(),
};
