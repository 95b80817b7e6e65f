/**
 * The receipt of an erasure. It contains IDs of deleted records, but no personal data: even the hash of a
 * phone number could be reversed by trying all numbers.
 */
import type { Erasure, Remain } from "./erasure.js";
import type { LocalErased } from "./local/erase.js";
import type { Matcher } from "./matcher.js";
import type { Findings } from "./organization.js";

export interface Receipt {
  receipt: 1;
  made_by: string;
  service: string;
  reference: string | null;
  started_at: string;
  ended_at: string;
  searched: Findings["searched"];
  not_searched: { where: string; reason: string }[];
  erased: { where: string; id: string; action: Erasure["action"]; shown_by: string }[];
  /** Counts without paths, because file names may contain phone numbers. */
  local: { area: string; erased: number; remains: number }[];
  remains: { where: string; id: string | null; why: Remain["why"] }[];
  plan_id: string | null;
  statement: string;
}

type Facts = Omit<Receipt, "receipt" | "not_searched" | "erased" | "local" | "remains" | "statement"> & {
  local: LocalErased | undefined;
  notSearched: Findings["notSearched"];
  erased: readonly Pick<Erasure, "where" | "id" | "action">[];
  remains: readonly Remain[];
};

const shownBy: Readonly<Record<Erasure["action"], string>> = {
  delete: "GET by ID returned 404",
  recording: "the call has no recording",
  redact: "GET by ID no longer returned the caller's data",
};

export function buildReceipt({ notSearched, erased, local, remains, ...facts }: Facts): Receipt {
  return {
    receipt: 1,
    ...facts,
    not_searched: notSearched.map(({ where, reason }) => ({ where, reason })),
    erased: erased.map(({ where, id, action }) => ({ where, id, action, shown_by: shownBy[action] })),
    local: countAreas(local),
    remains: remains.map(({ where, id, why }) => ({ where, id, why })),
    statement:
      "At this time, the resources listed as searched were searched for the identifiers of one person, and the records listed as erased were erased. This receipt does not cover other resources, or copies that the service or third parties keep.",
  };
}

function countAreas(local: LocalErased | undefined): Receipt["local"] {
  const { erased = [], remains = [] } = local ?? {};
  const areas = new Set([...erased, ...remains].map(({ area }) => area));
  const count = (all: readonly { area: string }[], name: string) =>
    all.filter(({ area }) => area === name).length;
  return [...areas].map((area) => ({ area, erased: count(erased, area), remains: count(remains, area) }));
}

/** Returns whether a case number contains the caller's data, which must not be in a receipt. */
export function hasCaller(matcher: Matcher, reference: string): boolean {
  return matcher.find(reference).length > 0;
}

/**
 * Formats a request to the service's operator to delete records. The request contains the records' IDs, but
 * none of the caller's data.
 */
export function formatOperatorRequest(
  remains: readonly Remain[],
  { service, reference }: { service: string; reference: string | null },
): string {
  const requested = remains.filter(({ why }) => why === "service");
  if (requested.length === 0) return "";
  const lines = requested.map(({ id, what }) => `- ${id}: ${what}`);
  return [
    `To the operator of ${service}${reference === null ? "" : ` (our reference: ${reference})`}`,
    "",
    "A person has asked us to erase their personal data. The API offers no way to erase the following. Please erase it,",
    "with every copy and derived text (details, transcript, analyses, notes, diagnostics), and confirm the erasure to us:",
    "",
    ...lines,
    "",
  ].join("\n");
}
