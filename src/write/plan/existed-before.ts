import { createExisting } from "../existing.js";
import type { Journal } from "../journal/journal.js";
import { createExpectations } from "./expectations.js";

/**
 * Returns a function that reports whether a resource is known to have existed before the run. An import knows
 * all resources in the group. A plan knows only resources that equal those it creates.
 */
export function createExistedBefore({ database }: Journal): (id: string) => boolean {
  const expectations = createExpectations(database);
  const existing = createExisting(database);
  return (id) => expectations.wasAlike(id) || existing.isOlder(id) || existing.known(id) !== undefined;
}
