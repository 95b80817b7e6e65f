/** S1: where the secrets of a configuration come from. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { SecretReader } from "../../../config/secret-changes.js";
import type { Session } from "../../session/session.js";
import type { TargetPlace } from "./place.js";

/** Reads each source once; what is read is masked wherever it would be printed. */
export async function secretReader({ session, folder, connection }: TargetPlace): Promise<SecretReader> {
  const { fingerprintsOf } = await import("../../../config/index.js");
  const key = connection.clientOptions.targets.public?.key ?? "";
  return {
    read: sourceReader(session, folder.root),
    fingerprints: fingerprintsOf(key, folder.project.project),
  };
}

/**
 * Reads the values of sources, each once; paths are relative to the folder.
 * @returns undefined where there is none
 */
export function sourceReader(
  { io, secrets, keychain }: Pick<Session, "io" | "secrets" | "keychain">,
  root: string,
): SecretReader["read"] {
  const known = new Map<string, Promise<string | undefined>>();
  const find = async (from: string): Promise<string | undefined> => {
    const colon = from.indexOf(":");
    const area = from.slice(0, colon);
    const name = from.slice(colon + 1);
    if (area === "env") return io.env[name];
    if (area === "file") return readFile(resolve(root, name), "utf8").catch(() => undefined);
    return (await keychain.read([name]))[0] ?? undefined;
  };
  return (from) => {
    const found =
      known.get(from) ??
      find(from).then((text) => {
        // A line's end at its end is no part of it.
        const value = text?.replace(/\r?\n$/, "");
        if (value === undefined || value === "") return undefined;
        secrets.add(value);
        return value;
      });
    known.set(from, found);
    return found;
  };
}
