import { usageError } from "../../errors/errors.js";
import { durationOf } from "../../session/globals.js";

/** How an answer goes wrong on purpose. */
export type Fault =
  | { kind: "timeout" }
  | { kind: "drop" }
  | { kind: "garbage" }
  | { kind: "status"; status: number }
  | { kind: "slow"; milliseconds: number };

export interface Failure {
  fault: Fault;
  /** Every n-th request, or a share of them. */
  when: { every: number } | { probability: number };
}

const form = "timeout, drop, garbage, status=500 or slow=3s, with :0.2 for a share or :3 for every third";

/** `status=500:0.2`, `slow=3s:2`. @throws usage error (2) */
export function parseFailure(text: string): Failure {
  const [what = "", share] = text.split(":");
  const [kind = "", value] = what.split("=");
  const fault = faultOf(kind, value);
  const number = share === undefined ? 1 : Number(share);
  if (fault === undefined || !Number.isFinite(number) || number <= 0)
    throw usageError(`--fail: "${text}" must be ${form}`);
  if (share === undefined || number >= 1) {
    if (!Number.isInteger(number)) throw usageError(`--fail: "${text}" must be ${form}`);
    return { fault, when: { every: number } };
  }
  return { fault, when: { probability: number } };
}

function faultOf(kind: string, value: string | undefined): Fault | undefined {
  if (value === undefined)
    return kind === "timeout" || kind === "drop" || kind === "garbage" ? { kind } : undefined;
  if (kind === "status") {
    const status = Number(value);
    return Number.isInteger(status) && status >= 200 && status <= 599 ? { kind, status } : undefined;
  }
  const milliseconds = kind === "slow" ? durationOf(value) : undefined;
  return milliseconds === undefined ? undefined : { kind: "slow", milliseconds };
}

/** The fault that strikes a request. @param number counted from 1 @param draw a number from 0 to 1, drawn anew by each call */
export function faultFor(
  failures: readonly Failure[],
  number: number,
  draw: () => number,
): Fault | undefined {
  return failures.find(({ when }) =>
    "every" in when ? number % when.every === 0 : draw() < when.probability,
  )?.fault;
}

/** `status=500` */
export function faultName(fault: Fault): string {
  if (fault.kind === "status") return `status=${fault.status}`;
  return fault.kind === "slow" ? `slow=${fault.milliseconds / 1_000}s` : fault.kind;
}
