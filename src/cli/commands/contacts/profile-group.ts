import type { Flag } from "../../session/input.js";

/** `--group`, which the profile may have a default for; other flags as they are. */
export function withProfileGroup(flag: Flag): Flag {
  return flag.name === "group" ? { ...flag, ofProfile: "group" } : flag;
}
