/** Builds the request of a plan's step. */
import { type Fields, isAlike, pick } from "../fields.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { PlannedStep } from "./planned-steps.js";
import { fillPlaceholders, plainFields, secretsIn } from "./references.js";

/** Values of the secrets that the steps of a plan require, by name. */
export type PlanSecrets = ReadonlyMap<string, string>;

/**
 * Returns the path and body of a step, with references and, if specified, secrets filled in.
 * @param idOf returns the id that a step created, for callers that don't need the journal for that
 */
export function sentOf(
  journal: Journal,
  { step }: Pick<PlannedStep, "step">,
  secrets?: PlanSecrets,
  idOf = (number: number) => journal.item(number)?.target,
): { path: Record<string, string>; body: Fields | undefined } {
  const fillings = {
    reference: (number: number, field: string) =>
      field === "id" ? idOf(number) : recordOf(journal.item(number)?.answer)[field],
    secret: (name: string) => secrets?.get(name),
  };
  const path = Object.entries(recordOf(fillPlaceholders(step.path, fillings))).map(([name, value]) => [
    name,
    String(value),
  ]);
  return {
    path: Object.fromEntries(path),
    body: step.body === undefined ? undefined : recordOf(fillPlaceholders(step.body, fillings)),
  };
}

/** Returns the id of a step's resource; undefined for a create. */
export function targetOf(journal: Journal, item: Item, planned: PlannedStep): string | undefined {
  if (item.target !== undefined || item.action === "create") return item.target;
  return Object.values(sentOf(journal, planned).path)[0];
}

/** Returns whether a resource has the values of an update. Ignores secrets, which responses never contain. */
export function isAsSent(body: Fields, now: Fields, { body: planned = {} }: PlannedStep["step"]): boolean {
  const fields = Object.keys(plainFields(planned));
  return fields.length > 0 && fields.every((field) => isAlike(field, now[field], body[field]));
}

/**
 * Splits fields of a resource into those to journal and those that the step sends by reference: their values must
 * not be in a journal.
 */
export function splitSecretFields(
  { body = {} }: PlannedStep["step"],
  shown: Fields,
): { open: Fields; secret: Fields } {
  const isSecret = (field: string) => field in body && secretsIn(body[field]).length > 0;
  const fields = Object.keys(shown);
  return {
    open: pick(
      shown,
      fields.filter((field) => !isSecret(field)),
    ),
    secret: pick(shown, fields.filter(isSecret)),
  };
}
