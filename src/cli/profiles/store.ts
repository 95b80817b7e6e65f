import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileTrouble } from "../../base/file-trouble.js";
import { usageError } from "../errors.js";
import type { Folders } from "../session.js";
import type { Configuration } from "./stored.js";

export type { Configuration, StoredKey, StoredProfile } from "./stored.js";

const fileName = "config";

/** The file that profiles are kept in, with the keys that no keychain has. */
export function configurationFile(folders: Folders): string {
  return join(folders.config, `${fileName}.json`);
}

/**
 * What is configured; empty where nothing is. Read plainly, since it stands in the path of every command.
 * @throws usage error (2) when the file is none of ours
 */
export async function readConfiguration(folders: Folders): Promise<Configuration> {
  const file = configurationFile(folders);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return { profiles: {} };
    throw usageError(`${file} can't be read: ${fileTrouble(error)}`, { cause: error });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the text, which holds keys.
    throw usageError(`${file} is no valid JSON`, {
      hint: "Mend it, or remove it and add the profiles again",
      cause: error,
    });
  }
  const { Configuration } = await import("./stored.js");
  const parsed = Configuration.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw usageError(`${file}: ${issue?.path.join(".") || "its content"} is not as voxctl writes it`, {
      hint: "Mend it, or remove it and add the profiles again",
    });
  }
  return parsed.data;
}

/** Writes the whole configuration: atomically, and readable by its owner only. */
export async function writeConfiguration(folders: Folders, configuration: Configuration): Promise<void> {
  await mkdir(folders.config, { recursive: true, mode: 0o700 });
  const { default: Conf } = await import("conf");
  const conf = new Conf<Record<string, unknown>>({
    cwd: folders.config,
    configName: fileName,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
  conf.store = { ...configuration };
}
