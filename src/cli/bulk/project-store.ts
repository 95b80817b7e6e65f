import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { describeFsError } from "../../base/describe-fs-error.js";
import { readUtf8 } from "../../base/utf8.js";
import { usageError } from "../errors/errors.js";

const projectFile = "voxctl.project.yaml";

/**
 * Accepts one of this machine's profiles, but no database address, because the project file may come from a
 * cloned repository.
 */
const ProjectStore = z.looseObject({ store: z.strictObject({ profile: z.string().min(1) }).optional() });

/**
 * Returns the profile whose store the nearest configuration project uses, in this directory or a parent.
 * @throws usage error (2) if the project file is invalid, because the user would not notice the use of
 * another store
 */
export async function findProjectStore(
  directory: string,
): Promise<{ file: string; profile: string } | undefined> {
  const file = await findProjectFile(directory);
  if (file === undefined) return undefined;
  const { parseYaml, describeYamlError } = await import("../../base/yaml-text.js");
  const text = await readUtf8(file).catch((cause: unknown) => {
    throw usageError(`${file} can't be read: ${describeFsError(cause)}`, { cause });
  });
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (cause) {
    throw usageError(`${file} is not valid YAML: ${describeYamlError(cause)}`, { cause });
  }
  const parsed = ProjectStore.safeParse(content);
  if (!parsed.success) throw usageError(`${file}: invalid store; expected store: { profile: NAME }`);
  const { store } = parsed.data;
  return store === undefined ? undefined : { file, profile: store.profile };
}

async function findProjectFile(directory: string): Promise<string | undefined> {
  for (let current = directory; ; current = dirname(current)) {
    const file = join(current, projectFile);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return file;
    if (dirname(current) === current) return undefined;
  }
}
