import { type Fields, isAlike } from "../fields.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { PlannedStep } from "./planned-steps.js";
import { fillPlaceholders, plainFields } from "./references.js";

export type PlanSecrets = ReadonlyMap<string, string>;

/**
 * Returns the path and the body of a step, with values instead of references. Inserts secrets only if they
 * are passed.
 * @param idOf returns the ID that a step created; by default, the ID from the journal
 */
export function sentOf(
  journal: Journal,
  { step, isRow = false }: Pick<PlannedStep, "step" | "isRow">,
  secrets?: PlanSecrets,
  idOf = (number: number) => journal.item(number)?.target,
): { path: Record<string, string>; body: Fields | undefined } {
  const fillings = {
    reference: (number: number, field: string) =>
      field === "id" ? idOf(number) : recordOf(journal.item(number)?.answer)[field],
    secret: (name: string) => secrets?.get(name),
  };
  const { path, body } = isRow
    ? step
    : recordOf(fillPlaceholders({ path: step.path, body: step.body }, fillings));
  const texts = Object.entries(recordOf(path)).map(([name, value]) => [name, String(value)]);
  return { path: Object.fromEntries(texts), body: body === undefined ? undefined : recordOf(body) };
}

/** Returns undefined for a create that is not done. */
export function targetOf(journal: Journal, item: Item, planned: PlannedStep): string | undefined {
  if (item.target !== undefined || item.action === "create") return item.target;
  return Object.values(sentOf(journal, planned).path)[0];
}

export function isAsSent(body: Fields, now: Fields, { body: planned = {} }: PlannedStep["step"]): boolean {
  // Ignore secrets, because responses never contain them.
  const fields = Object.keys(plainFields(planned));
  return fields.length > 0 && fields.every((field) => isAlike(field, now[field], body[field]));
}
