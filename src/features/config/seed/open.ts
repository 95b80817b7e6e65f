/** Opens a seed, which is a configuration directory or a single file. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { readUtf8 } from "../../../base/utf8.js";
import type { Access } from "../access.js";
import { ConfigError } from "../errors.js";
import { declareChecked, openFolder, type VariableSources } from "../folder/open.js";
import { projectFile } from "../project.js";
import { readSeedFile, type SeedOrganization } from "./seed-file.js";

export interface Seed {
  /** Paths of secrets are relative to this directory. */
  root: string;
  organizations: readonly SeedOrganization[];
  /** Sources that the seed is allowed to use; undefined means all. */
  access?: Access | undefined;
}

interface OpenOptions {
  /** Required if the directory has more than one target. */
  target: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  access?: Access | undefined;
}

/**
 * Checks the complete seed before an emulator is created.
 * @throws ConfigError with all problems
 */
export async function openSeed(path: string, { target, env, access }: OpenOptions): Promise<Seed> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new ConfigError("config_invalid", `the seed ${path} can't be read: ${describeFsError(error)}`);
  });
  if (stats.isDirectory()) return openSeedFolder(path, target, { env, access });
  if (basename(path) === projectFile) return openSeedFolder(dirname(path), target, { env, access });
  if (target !== undefined)
    throw new ConfigError("config_invalid", `the seed ${path} is a single file and has no targets`);
  const text = await readUtf8(path).catch((error: unknown) => {
    throw new ConfigError("config_invalid", `the seed ${path} can't be read: ${describeFsError(error)}`);
  });
  const organizations = readSeedFile(text, basename(path), { env, access });
  return { root: dirname(path), access, organizations };
}

async function openSeedFolder(
  root: string,
  given: string | undefined,
  variableSources: VariableSources,
): Promise<Seed> {
  const hasProjectFile = await stat(join(root, projectFile)).then(
    (file) => file.isFile(),
    () => false,
  );
  if (!hasProjectFile)
    throw new ConfigError(
      "config_invalid",
      `${root} is not a configuration directory: ${projectFile} not found`,
      "to create one, run `voxctl config init`, or use a seed file",
    );
  const folder = await openFolder(root);
  const targets = Object.keys(folder.project.targets);
  const target = given ?? (targets.length === 1 ? targets[0] : undefined);
  if (target === undefined)
    throw new ConfigError(
      "config_invalid",
      `${projectFile} has several targets: ${targets.join(", ")}`,
      "choose one with --seed-target or, in programs, with seedTarget",
    );
  const declared = declareChecked(folder, target, variableSources);
  const none = { contacts: [], calls: [], keys: [] };
  const organization = {
    name: undefined,
    settings: {},
    folder,
    declared,
    ...none,
    locate: () => projectFile,
  };
  return { root, access: variableSources.access, organizations: [organization] };
}
