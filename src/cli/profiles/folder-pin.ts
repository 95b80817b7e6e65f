import { lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { describeFsError } from "../../base/describe-fs-error.js";
import { readUtf8Sync } from "../../base/utf8.js";
import { once } from "../../contract/once.js";
import { usageError } from "../errors/errors.js";

/** Names of pin files. voxctl reads both, so that it never silently ignores one of them. */
const pinFileNames = [".voxctl.yaml", ".voxctl.yml"] as const;

export const Pin = once(() => z.strictObject({ profile: z.string().min(1) }));

/** A pin file that can't be read. The profile that it selects is therefore unknown. */
export interface UnreadablePin {
  file: string;
  problem: string;
}

export type FolderPin = { name: string; file: string } | { unreadable: UnreadablePin };

/**
 * Searches this directory and its parents for `.voxctl.yaml` or `.voxctl.yml`.
 * @throws usage error (2) if the file contains more than a profile name, because a cloned repository must not
 * set a URL or a key
 */
export async function findPin(folder: string): Promise<FolderPin | undefined> {
  for (let current = folder; ; current = dirname(current)) {
    const pins: FolderPin[] = [];
    for (const name of pinFileNames) {
      const pin = await readPin(join(current, name));
      if (pin !== undefined) pins.push(pin);
    }
    const [pin, second] = pins;
    if (pin !== undefined) {
      if (second !== undefined) assertSameProfile(pin, second);
      return pin;
    }
    if (dirname(current) === current) return undefined;
  }
}

async function readPin(file: string): Promise<FolderPin | undefined> {
  const text = readOptionalFile(file);
  if (typeof text !== "string") return text;
  const { parseYaml, describeYamlError } = await import("../../base/yaml-text.js");
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    throw usageError(`${file} is not valid YAML: ${describeYamlError(error)}`, { cause: error });
  }
  const pin = Pin().safeParse(content);
  if (!pin.success) throw usageError(`${file} must contain only the line "profile: NAME"`);
  return { name: pin.data.profile, file };
}

/** Returns undefined only if no file with this name exists. */
function readOptionalFile(file: string): string | { unreadable: UnreadablePin } | undefined {
  try {
    // A missing file is normal, because every command checks all parent directories. A dangling link counts
    // as a file.
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    // Reading a pipe or a device would block.
    if (!statSync(file).isFile()) return { unreadable: { file, problem: "it is not a regular file" } };
    return readUtf8Sync(file);
  } catch (error) {
    return { unreadable: { file, problem: describePinProblem(error) } };
  }
}

function describePinProblem(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "it is a symbolic link to a file that does not exist";
  return code === "ELOOP" ? "it is a symbolic link to itself" : describeFsError(error);
}

/** @throws usage error (2) if two files in one directory name different profiles */
function assertSameProfile(left: FolderPin, right: FolderPin): void {
  const [first, second] = [left, right].map((pin) => ("unreadable" in pin ? undefined : pin));
  if (first === undefined || second === undefined || first.name === second.name) return;
  throw usageError(`${first.file} and ${second.file} select different profiles`, {
    hint: "remove one of them",
  });
}
