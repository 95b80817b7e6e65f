import { suggestName } from "../../../base/suggestions.js";
import { notFoundError } from "../../../cli/errors/errors.js";
import type { Decision } from "../decision.js";
import type { ConfigObject } from "../folder/objects.js";
import type { TargetContext } from "./target-context.js";

/**
 * Refuses unknown keys, because an unknown key would look like a resource without changes.
 * @throws not found (4) if no file, lock entry or resource has the key
 */
export async function assertKnownKeys(
  { target, lockFile }: Pick<TargetContext, "target" | "lockFile">,
  objects: ReadonlyMap<string, ConfigObject>,
  { candidates }: Pick<Decision, "candidates">,
  keys: readonly string[],
): Promise<void> {
  const { isWithin } = await import("../index.js");
  const known = [
    ...new Set([...objects.keys(), ...lockFile.lock.lines.keys(), ...candidates.map(({ key }) => key)]),
  ];
  const unknown = keys.find((key) => !known.some((knownKey) => isWithin(knownKey, [key.normalize("NFC")])));
  if (unknown === undefined) return;
  const named = unknown.replace(/^\.\//, "").replace(/\.(?:ya?ml|md)$/, "");
  const ends = known.filter((key) => key === named || key.endsWith(`/${named}`));
  const hint =
    ends.length > 0 ? `did you mean ${ends.slice(0, 3).join(" or ")}? ` : suggestName(named, known);
  throw notFoundError(
    `key ${unknown} not found in ${target}`,
    `${hint}a key is a file's path in the directory, without the extension, such as assistants/empfang`,
  );
}
