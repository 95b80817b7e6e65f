import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { once } from "../../contract/once.js";
import { usageError } from "../errors/errors.js";

const fileName = ".voxctl.yaml";

export const Pin = once(() => z.strictObject({ profile: z.string().min(1) }));

/**
 * The profile that a `.voxctl.yaml` in this folder or above names.
 * @throws usage error (2) when the file says anything else: a folder that was cloned must not bring an address or a key
 */
export async function pinnedProfile(folder: string): Promise<{ name: string; file: string } | undefined> {
  for (let current = folder; ; current = dirname(current)) {
    const file = join(current, fileName);
    const text = readIfThere(file);
    if (text !== undefined) {
      const { parseYaml, describeYamlError } = await import("../output/yaml.js");
      let content: unknown;
      try {
        content = parseYaml(text);
      } catch (error) {
        throw usageError(`${file} is no valid YAML: ${describeYamlError(error)}`, { cause: error });
      }
      const pin = Pin().safeParse(content);
      if (!pin.success) throw usageError(`${file} must hold one line, "profile: NAME", and nothing else`);
      return { name: pin.data.profile, file };
    }
    if (dirname(current) === current) return undefined;
  }
}

/** Undefined also where it can't be read, as a folder of that name. */
function readIfThere(file: string): string | undefined {
  // Asked of every folder above with every command: an error would be made for each.
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
