import { ExactNumber } from "../../../base/exact-json.js";
import type { ClientError } from "../../../client/errors.js";
import type { KnownOrganization } from "../inventory.js";

/** Converts organization IDs for request bodies, because some services accept numeric IDs only as numbers. */
export interface SentIds {
  see(organization: Pick<KnownOrganization, "id" | "sentId">): void;
  /** A number above 2^53 is sent as text, because most JSON parsers would round it. */
  formOf(id: string): unknown;
  /**
   * Returns whether to send a rejected request again with the ID as a number, because the service might not
   * accept text. Returns true only once per ID.
   */
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
