import { parseDurationText } from "../../base/duration.js";
import { InputError } from "../../base/input-error.js";

export type Fault =
  | { type: "timeout" }
  | { type: "drop" }
  | { type: "garbage" }
  | { type: "status"; status: number }
  | { type: "slow"; milliseconds: number };

export interface Failure {
  fault: Fault;
  when: { every: number } | { probability: number };
}

const form =
  "timeout, drop, garbage, status=500 or slow=3s; append :0.2 for 20% of requests or :3 for every third one";

/** Parses `status=500:0.2` or `slow=3s:2`. @throws InputError */
export function parseFailure(text: string): Failure {
  const [what = "", share] = text.split(":");
  const [type = "", value] = what.split("=");
  const fault = toFault(type, value);
  const number = share === undefined ? 1 : Number(share);
  if (fault === undefined || !Number.isFinite(number) || number <= 0)
    throw new InputError(`invalid --fail "${text}": expected ${form}`);
  if (share === undefined || number >= 1) {
    if (!Number.isInteger(number)) throw new InputError(`invalid --fail "${text}": expected ${form}`);
    return { fault, when: { every: number } };
  }
  return { fault, when: { probability: number } };
}

function toFault(type: string, value: string | undefined): Fault | undefined {
  if (value === undefined)
    return type === "timeout" || type === "drop" || type === "garbage" ? { type } : undefined;
  if (type === "status") {
    const status = Number(value);
    return Number.isInteger(status) && status >= 200 && status <= 599 ? { type, status } : undefined;
  }
  const milliseconds = type === "slow" ? parseDurationText(value) : undefined;
  return milliseconds === undefined ? undefined : { type: "slow", milliseconds };
}

/**
 * @param number counted from 1
 * @param draw returns a random number from 0 to 1
 */
export function selectFault(
  failures: readonly Failure[],
  number: number,
  draw: () => number,
): Fault | undefined {
  return failures.find(({ when }) =>
    "every" in when ? number % when.every === 0 : draw() < when.probability,
  )?.fault;
}

export function formatFault(fault: Fault): string {
  if (fault.type === "status") return `status=${fault.status}`;
  return fault.type === "slow" ? `slow=${fault.milliseconds / 1_000}s` : fault.type;
}
