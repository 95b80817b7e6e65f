import type { Io } from "../../base/io.js";

/** Returns the environment for a child process, without the store's address, password and key. */
export function toChildEnvironment(env: Io["env"]): Io["env"] {
  const { VOXCTL_STORE: store, VOXCTL_STORE_KEY: _, ...others } = env;
  if (store === undefined) return others;
  const { PGPASSWORD: __, ...remaining } = others;
  return remaining;
}
