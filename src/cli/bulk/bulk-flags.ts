import { parseDuration } from "../session/globals.js";
import type { Flag, Input } from "../session/input.js";

export const settleFlag: Flag = {
  name: "settle",
  value: "duration",
  description: "How long an unconfirmed request can still take effect",
  default: "30s; 0s with the local emulator, 2s with an emulator over HTTP",
  group: "Advanced",
};

export const bulkFlags: readonly Flag[] = [
  settleFlag,
  {
    name: "outage",
    value: "duration",
    description: "Longest service outage before the run stops",
    default: "10m",
    group: "Advanced",
  },
];

export const groupRunFlags: readonly Flag[] = [
  {
    name: "no-wait",
    description: "Fail (exit code 6) if another run is writing to the group",
    group: "Advanced",
  },
  ...bulkFlags,
];

export const finalCheckFlag: Flag = {
  name: "no-final-check",
  description: "Don't check at the end whether another machine created the same contacts",
  group: "Advanced",
};

export interface BulkFlags {
  settleMilliseconds: number | undefined;
  outageMilliseconds: number | undefined;
  noWait: boolean;
  finalCheck: boolean;
}

/** @throws usage error (2) that names the flag */
export function readBulkFlags(input: Input): BulkFlags {
  const duration = (name: string) => {
    const text = input.text(name);
    return text === undefined ? undefined : parseDuration(text, `--${name}`);
  };
  return {
    settleMilliseconds: duration("settle"),
    outageMilliseconds: duration("outage"),
    noWait: input.on("no-wait") === true,
    finalCheck: input.on("no-final-check") !== true,
  };
}
