import { parseDuration } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";

export const settleFlag: Flag = {
  name: "settle",
  aliases: ["late-window"],
  value: "duration",
  description:
    "how long a request whose answer was lost may still take effect, and a list may lag; also --late-window",
  default: "0s in process, 2s with an emulator, else 30s",
};

/** Flags of every command that runs in bulk: how it deals with what the service and other runs do meanwhile. */
export const bulkFlags: readonly Flag[] = [
  settleFlag,
  {
    name: "outage",
    value: "duration",
    description: "how long the service may be out of reach before the run stops; it can be gone on with",
    default: "10m",
  },
];

/** The same of a command that writes into a group. */
export const groupRunFlags: readonly Flag[] = [
  {
    name: "no-wait",
    description: "refuse (6) instead of waiting for another run that writes into the same group",
  },
  ...bulkFlags,
];

export interface BulkFlags {
  settleMilliseconds: number | undefined;
  outageMilliseconds: number | undefined;
  noWait: boolean;
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
  };
}
