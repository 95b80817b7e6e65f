/**
 * The record of what was done about a request, without personal data. It holds no hash of a number or an address
 * either: there are so few phone numbers that all of them can be tried, and a key that made trying impossible for
 * others would keep, on this machine, the very means to find out whose erasure it was. Ids of what was erased lead
 * nowhere; the request itself is named by a reference of the user's own.
 */
import type { Erasure, Remain } from "./erasure.js";
import type { LocalErased } from "./local/erase.js";
import type { Matcher } from "./matcher.js";
import type { Findings } from "./organization.js";

export interface Receipt {
  receipt: 1;
  made_by: string;
  service: string;
  /** The number of the case in the user's own files. */
  reference: string | null;
  started_at: string;
  ended_at: string;
  searched: Findings["searched"];
  not_searched: { where: string; reason: string }[];
  erased: { where: string; id: string; action: Erasure["action"]; shown_by: string }[];
  /** Places of this machine by what they are, since a file's name may say a number. */
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
  delete: "a get of its id answered 404",
  recording: "the call says that it has no recording",
  redact: "a get of it did not show what was looked for",
};

/** The receipt of an erasure. */
export function buildReceipt({ notSearched, erased, local, remains, ...facts }: Facts): Receipt {
  return {
    receipt: 1,
    ...facts,
    not_searched: notSearched.map(({ where, reason }) => ({ where, reason })),
    erased: erased.map(({ where, id, action }) => ({ where, id, action, shown_by: shownBy[action] })),
    local: countAreas(local),
    remains: remains.map(({ where, id, why }) => ({ where, id, why })),
    statement:
      "What is listed as searched was searched at the given time for what was given of one person, and what is listed as erased was erased. It is no statement about places that are not listed, nor about copies that the service or others keep.",
  };
}

function countAreas(local: LocalErased | undefined): Receipt["local"] {
  const { erased = [], remains = [] } = local ?? {};
  const areas = new Set([...erased, ...remains].map(({ area }) => area));
  const count = (all: readonly { area: string }[], name: string) =>
    all.filter(({ area }) => area === name).length;
  return [...areas].map((area) => ({ area, erased: count(erased, area), remains: count(remains, area) }));
}

/** Does a reference name the caller? Then the receipt would. */
export function hasCaller(matcher: Matcher, reference: string): boolean {
  return matcher.find(reference).length > 0;
}

/** The request to the operator of the service: by ids, without the caller's data. */
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
    "with every copy and derived text (details, transcript, analyses, notes, diagnostics), and confirm it to us:",
    "",
    ...lines,
    "",
  ].join("\n");
}
