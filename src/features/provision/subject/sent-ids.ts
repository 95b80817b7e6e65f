import { ExactNumber } from "../../../base/exact-json.js";
import type { ClientError } from "../../../client/errors.js";
import type { KnownOrganization } from "../inventory.js";

/** The form in which a body names an organization: some services accept a number as a number only (T9). */
export interface SentIds {
  see(organization: Pick<KnownOrganization, "id" | "sentId">): void;
  /** Returns the id as a body contains it. A service that reads JSON as most do would round a number beyond 2^53. */
  formOf(id: string): unknown;
  /** Returns whether a request that was refused is worth a try with the number: as text it may have been invalid. */
  isWorthNumber(id: string, error: ClientError): boolean;
}

export function createSentIds(): SentIds {
  const ids = new Map<string, unknown>();
  const asNumbers = new Set<string>();
  return {
    see: ({ id, sentId }) => void ids.set(id, sentId),
    formOf(id) {
      const sentId = ids.get(id) ?? id;
      return sentId instanceof ExactNumber && !asNumbers.has(id) ? id : sentId;
    },
    isWorthNumber(id, { status }) {
      if (status !== 400 && status !== 422) return false;
      if (!(ids.get(id) instanceof ExactNumber) || asNumbers.has(id)) return false;
      asNumbers.add(id);
      return true;
    },
  };
}
