import * as z from "zod";
import { InputError } from "../../base/input-error.js";
import { parseJsonSafely } from "../../base/json.js";

export const indexFileName = "index.json";

/** Accepts only commands that apply plans, because an index from another machine could contain any command. */
const appliesPlan = ([first, second]: readonly string[]) =>
  first === "apply" || (first === "config" && second === "apply");

const Entry = z.strictObject({
  name: z.string(),
  /** `oldest_group` identifies the member's organization. */
  address: z.string(),
  oldest_group: z.string().nullable(),
  /** Name of the plan file; null if the command failed or has no changes to make. */
  file: z.string().nullable(),
  id: z.string().nullable(),
  sha256: z.string().nullable(),
  /** Words of the command that applies the plan, without the plan's path. */
  apply: z.array(z.string()).refine(appliesPlan),
  exit: z.number(),
  created: z.number(),
  updated: z.number(),
  deleted: z.number(),
  note: z.string().nullable(),
});
export type PlanEntry = z.output<typeof Entry>;

const Index = z.strictObject({
  version: z.literal(1),
  command: z.array(z.string()),
  made_at: z.string(),
  members: z.array(Entry),
});

export function sumChanges(
  entries: Iterable<Pick<PlanEntry, "created" | "updated" | "deleted">>,
): Pick<PlanEntry, "created" | "updated" | "deleted"> {
  const sum = { created: 0, updated: 0, deleted: 0 };
  for (const { created, updated, deleted } of entries) {
    sum.created += created;
    sum.updated += updated;
    sum.deleted += deleted;
  }
  return sum;
}

/** @throws InputError */
export function parsePlanIndex(text: string, file: string): z.output<typeof Index> {
  const parsed = Index.safeParse(parseJsonSafely(text));
  if (!parsed.success)
    throw new InputError(`${file} is not an index file of \`voxctl fleet plan\``, {
      hint: "create the plans again: `voxctl fleet plan --out DIR -- COMMAND`",
    });
  return parsed.data;
}
