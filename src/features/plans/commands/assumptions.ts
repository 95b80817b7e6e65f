import { buckets } from "../../../contract/limits.js";
import { toPlural } from "./resource-nouns.js";

const formatLimit = (limit: number, requests: string) =>
  `the limit is ${limit} ${requests} per minute (not confirmed by the service)`;

/** Assumptions about the service that a rehearsal on a copy can't check. */
const clauses = {
  role: "the key has all required permissions",
  "numbers-left": "phone numbers are available for assistants",
  "blocked-numbers": "the called numbers are not blocked",
  "locked-greetings": "no assistant has a greeting or webhook that an enterprise profile manages",
  // If the service didn't declare a limit, the rehearsal uses the documented limit.
  "limit:read": formatLimit(buckets.read.limit, "reads"),
  "limit:write": formatLimit(buckets.write.limit, "writes"),
  "limit:distributor": formatLimit(buckets.distributor.limit, "requests"),
} as const satisfies Readonly<Record<string, string>>;

export type Assumption = keyof typeof clauses | `absent:${string}`;

export function formatAssumptions(assumed: readonly string[]): string | undefined {
  return assumed.length === 0 ? undefined : assumed.map(formatAssumption).join("; ");
}

function formatAssumption(name: string): string {
  const [, resource] = /^absent:(.+)$/.exec(name) ?? [];
  if (resource !== undefined)
    return `${toPlural(resource)} that are not in the mirror don't affect the changes`;
  return Object.entries(clauses).find(([known]) => known === name)?.[1] ?? name;
}
