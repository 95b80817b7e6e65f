/** S1: the values behind `env:NAME`, `file:PATH` and `keychain:NAME`. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

export interface SecretPlaces {
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined where there is no keychain. */
  keychain?: ((name: string) => Promise<string | null | undefined>) | undefined;
}

/**
 * Reads the values of sources, each once; paths are relative to the folder.
 * @param found told of every value, so that it is never printed
 * @returns undefined where there is none
 */
export function sourceReader(
  { env, keychain }: SecretPlaces,
  root: string,
  found: (value: string) => void = () => {},
): (from: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const find = async (from: string): Promise<string | null | undefined> => {
    const colon = from.indexOf(":");
    const area = from.slice(0, colon);
    const name = from.slice(colon + 1);
    if (area === "env") return env[name];
    if (area === "file") return readFile(resolve(root, name), "utf8").catch(() => undefined);
    return keychain?.(name);
  };
  return (from) => {
    const value =
      known.get(from) ??
      find(from).then((text) => {
        // A line's end at its end is no part of it.
        const whole = text?.replace(/\r?\n$/, "");
        if (whole === undefined || whole === "") return undefined;
        found(whole);
        return whole;
      });
    known.set(from, value);
    return value;
  };
}
