import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { fileTrouble } from "../../base/file-trouble.js";
import { usageError } from "../errors.js";
import type { Folders } from "../session.js";

/** Where a key comes from. Only `stored` holds one. */
const StoredKey = z.discriminatedUnion("from", [
  z.object({ from: z.literal("stored"), value: z.string().min(1) }),
  z.object({ from: z.literal("environment"), variable: z.string().min(1) }),
  z.object({ from: z.literal("file"), path: z.string().min(1) }),
  z.object({ from: z.literal("keychain"), account: z.string().min(1) }),
]);
export type StoredKey = z.output<typeof StoredKey>;

const StoredTarget = z.object({
  url: z.string(),
  key: StoredKey,
  /** The day on which the key ends, `2027-11-20`, as far as anybody said. */
  expires: z.iso.date().optional(),
});

const StoredProfile = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("remote"),
    production: z.boolean().default(false),
    surfaces: z.object({
      public: StoredTarget.optional(),
      "distributor-v1": StoredTarget.optional(),
      "distributor-v2": StoredTarget.optional(),
      legacy: StoredTarget.optional(),
    }),
    paths: z.record(z.string(), z.string()).default({}),
  }),
  z.object({ kind: z.literal("offline"), production: z.boolean().default(false), db: z.string().min(1) }),
]);
export type StoredProfile = z.output<typeof StoredProfile>;

const Configuration = z.object({
  /** The profile that is used when nothing else says which. */
  default: z.string().optional(),
  profiles: z.record(z.string(), StoredProfile).default({}),
});
export type Configuration = z.output<typeof Configuration>;

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
