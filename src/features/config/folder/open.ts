import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toIssuePath } from "../../../base/describe-issue.js";
import { withoutSignalListeners } from "../../../base/signals.js";
import { assertNoProblems, ConfigError, type Problem } from "../errors.js";
import { type Project, Project as ProjectSchema, projectFile, type Target } from "../project.js";
import type { Variables } from "../variables.js";
import { checkObjects, refusedSecrets } from "./check.js";
import { readFolderFiles } from "./disk.js";
import { ignoring } from "./keys.js";
import { type ConfigObject, objectsOf } from "./objects.js";
import { type FolderFile, readSources, type SourceFile } from "./source.js";
import { parseYamlText } from "./yaml.js";

export interface Folder {
  root: string;
  project: Project;
  files: readonly FolderFile[];
  isIgnored(key: string): boolean;
}

export interface Declared {
  target: string;
  settings: Target;
  objects: ReadonlyMap<string, ConfigObject>;
  sources: readonly SourceFile[];
}

/** @throws ConfigError if neither `from` nor a parent directory has a project file */
export async function findFolder(from: string): Promise<string> {
  for (let current = from; ; current = dirname(current)) {
    const stats = await stat(join(current, projectFile)).catch(() => undefined);
    if (stats?.isFile() === true) return current;
    if (dirname(current) === current) {
      throw new ConfigError(
        "config_invalid",
        `${projectFile} not found in ${from} or a parent directory`,
        "to create a project, run `voxctl config init --target NAME`",
      );
    }
  }
}

/**
 * Checks only the project file; `declare` checks the other files.
 * @throws ConfigError if the project file is invalid
 */
export async function openFolder(root: string): Promise<Folder> {
  const { files, problems } = await readFolderFiles(root);
  assertNoProblems(problems);
  const file = files.find(({ path }) => path === projectFile);
  if (file === undefined) throw new ConfigError("config_invalid", `${projectFile} can't be read`);
  const yaml = parseYamlText(file.text, projectFile);
  if ("message" in yaml)
    throw new ConfigError("config_invalid", `${projectFile}, line ${yaml.line}: ${yaml.message}`);
  const parsed = ProjectSchema.safeParse(yaml.value);
  if (!parsed.success) {
    assertNoProblems(
      parsed.error.issues.map((issue) => {
        const path = toIssuePath(issue.path);
        const inner = issue.code === "unrecognized_keys" ? [...path, issue.keys[0] ?? ""] : path;
        const message = issue.code === "unrecognized_keys" ? "unknown setting" : issue.message;
        return { file: projectFile, line: yaml.lineOf(inner), field: inner.join("."), message };
      }),
    );
    throw new ConfigError("config_invalid", `invalid ${projectFile}`);
  }
  return { root, project: parsed.data, files, isIgnored: ignoring(parsed.data.ignore) };
}

/** @throws ConfigError if the target doesn't exist */
export function targetOf({ project }: Folder, name: string): Target {
  const target = Object.hasOwn(project.targets, name) ? project.targets[name] : undefined;
  if (target !== undefined) return target;
  throw new ConfigError(
    "config_invalid",
    `target "${name}" not found in ${projectFile}; existing targets: ${Object.keys(project.targets).join(", ")}`,
  );
}

export interface VariableSources extends Pick<Variables, "env" | "access"> {
  /** If true, the sources of secrets must be allowed. */
  readsSecrets?: boolean;
}

/** Reads the declarations. Because this can take seconds, Ctrl-C ends the process immediately. */
export function declare(
  folder: Folder,
  target: string,
  variableSources: VariableSources,
): { declared: Declared; problems: Problem[] } {
  return withoutSignalListeners(() => readDeclarations(folder, target, variableSources));
}

function readDeclarations(
  folder: Folder,
  target: string,
  { env, access, readsSecrets }: VariableSources,
): { declared: Declared; problems: Problem[] } {
  const { project, files, isIgnored } = folder;
  const settings = targetOf(folder, target);
  const overlays = Object.values(project.targets).flatMap(({ overlay }) =>
    overlay === undefined ? [] : [rootOf(overlay)],
  );
  const base = readSources(
    files.filter(({ path }) => !overlays.some((overlay) => path.startsWith(overlay))),
    project.kinds,
    "",
    isIgnored,
  );
  const overlay =
    settings.overlay === undefined
      ? { sources: [], problems: [] }
      : readSources(files, project.kinds, rootOf(settings.overlay), isIgnored);
  const read = objectsOf(base.sources, overlay.sources, {
    target,
    var: settings.variables,
    env,
    access,
  });
  const sources = [...base.sources, ...overlay.sources];
  // If a file is unreadable, don't report missing references, because the file may declare the missing
  // resource.
  const before = [...base.problems, ...overlay.problems, ...read.problems];
  const problems = [
    ...before,
    ...checkObjects(read.objects, { resourceTypes: project.kinds, isWhole: before.length === 0, isIgnored }),
  ];
  if (access !== undefined && readsSecrets === true)
    problems.push(...read.objects.flatMap((object) => refusedSecrets(object, access)));
  const objects = new Map(read.objects.map((object) => [object.key, object]));
  return { declared: { target, settings, objects, sources }, problems };
}

/** @throws ConfigError with all problems, before anything is sent */
export function declareChecked(folder: Folder, target: string, variableSources: VariableSources): Declared {
  const { declared, problems } = declare(folder, target, variableSources);
  assertNoProblems(problems, variableSources.access?.advice);
  return declared;
}

function rootOf(overlay: string): string {
  return `${overlay.replace(/^\.\//, "").replace(/\/+$/, "")}/`;
}

/** Returns all readable files, including overlays. */
export function sourcesOf({ project, files, isIgnored }: Folder): SourceFile[] {
  const overlays = Object.values(project.targets).flatMap(({ overlay }) =>
    overlay === undefined ? [] : [rootOf(overlay)],
  );
  return ["", ...new Set(overlays)].flatMap(
    (root) => readSources(files, project.kinds, root, isIgnored).sources,
  );
}
