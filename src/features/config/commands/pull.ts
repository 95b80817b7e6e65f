import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { formatCount, inflect } from "../../../base/text.js";
import { CliError, exits, refusedError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { PullPlan } from "../pull.js";
import { withSharedLock } from "./applied-lock.js";
import { compareTarget } from "./decide-target.js";
import { withConfigErrors } from "./errors.js";
import { lookOptions, targetFlags } from "./flags.js";
import { assertKnownKeys } from "./known-keys.js";
import { updateSchemas } from "./schema-files.js";
import { forEachTarget, openCommandFolder, type TargetContext } from "./target-context.js";

export const pull: Command = {
  name: "pull",
  summary: "Update the files with changes from the organization",
  description:
    "Writes only fields that changed in the organization, and keeps comments, order and your own changes. If a field changed in both the organization and the file, the command reports a conflict and exits with code 10. The command never writes secrets or the values of variables. It also updates the schemas for editors.",
  arguments: [{ name: "key", description: "Pull only these keys", optional: true, variadic: true }],
  flags: [
    ...targetFlags,
    { name: "new", description: "Also write files for resources that have none" },
    { name: "prune", description: "Also remove the files of deleted resources" },
    {
      name: "resolve",
      value: "side",
      description: "Value to use if a field changed in both the file and the organization",
      choices: ["file", "live"],
      strict: true,
    },
    { name: "force", description: "Overwrite files with uncommitted changes" },
  ],
  examples: [
    { command: "voxctl config pull --target prod" },
    { command: "voxctl config pull --target prod --new", note: "Include resources created in the dashboard" },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => runPull(session, input)),
};

async function runPull(session: Session, input: Input): Promise<void> {
  const folder = await openCommandFolder(session, input);
  const { openFolder } = await import("../index.js");
  // If one target wrote files, read the directory again for the next target.
  const written = new Set<string>();
  await forEachTarget(session, input, folder, { mutates: false }, async (targetContext) => {
    const keys = input.arguments.length === 0 ? undefined : [...input.arguments];
    const resolve = input.text("resolve");
    const current =
      written.size === 0 ? targetContext : { ...targetContext, folder: await openFolder(folder.root) };
    const plan = await pullTarget(current, {
      isNew: input.on("new") === true,
      deletesFiles: input.on("prune") === true,
      resolve: resolve === "file" || resolve === "live" ? resolve : undefined,
      keys,
      force: input.on("force") === true,
      written,
    });
    await showPull(session, targetContext, plan, input.on("new") === true);
  });
  await updateSchemas(folder.root);
}

interface Options {
  isNew: boolean;
  deletesFiles: boolean;
  resolve: "file" | "live" | undefined;
  keys: readonly string[] | undefined;
  force: boolean;
  written: Set<string>;
}

/**
 * Writes changed live values to the files. Then updates the lock file for fields whose file and live values
 * are equal.
 */
export async function pullTarget(targetContext: TargetContext, options: Options): Promise<PullPlan> {
  const {
    agree,
    declareChecked,
    lockAnchorsOf,
    openFolder,
    pairsOf,
    planPull,
    textHash,
    unlistedTexts,
    writeLockFile,
  } = await import("../index.js");
  const { session, folder, target, lockFile, cache } = targetContext;
  const { decision, declared, reading } = await compareTarget(targetContext, lookOptions);
  if (options.keys !== undefined)
    await assertKnownKeys(targetContext, declared.objects, decision, options.keys);
  const texts = options.isNew ? await unlistedTexts(reading, decision, folder) : new Map();
  const plan = planPull(folder, decision, options, texts);
  await writeFiles(targetContext, plan, options);
  const { lock } = lockFile;
  for (const { from, to } of decision.moves) {
    const line = lock.lines.get(from);
    lock.lines.delete(from);
    if (line !== undefined) lock.lines.set(to, { ...line, key: to });
  }
  for (const key of [...plan.drops, ...decision.forgotten]) lock.lines.delete(key);
  const after = declareChecked(await openFolder(folder.root), target, {
    env: session.io.env,
    access: targetContext.access,
  });
  lock.base_url = targetContext.baseUrl;
  lock.anchors = lockAnchorsOf(decision);
  agree(lock, pairsOf(decision, plan, after.objects, options), plan.references);
  for (const { key, id, record } of plan.created) {
    const object = after.objects.get(key);
    if (object?.spec.unlisted !== undefined)
      cache?.keep(id, record["updated_at"], textHash(object, record, plan.references));
  }
  await withSharedLock(targetContext, () => writeLockFile(lockFile));
  await cache?.save();
  return plan;
}

/** Refuses to overwrite changes that are not committed to git. */
async function writeFiles(
  { folder: { root, files } }: TargetContext,
  plan: PullPlan,
  { force, written }: Options,
): Promise<void> {
  const { replaceFile } = await import("../index.js");
  const existing = new Map(files.map(({ path, text }) => [path, text]));
  const touched = [...plan.writes].filter(([path, text]) => existing.get(path) !== text);
  const replaced = [...touched.map(([path]) => path).filter((path) => existing.has(path)), ...plan.removes];
  const notOurs = replaced.filter((path) => !written.has(path));
  const dirty = force || notOurs.length === 0 ? [] : await findDirtyFiles(root, notOurs);
  if (dirty !== undefined && dirty.length > 0) {
    throw refusedError(
      "uncommitted_changes",
      `${dirty.join(", ")} ${inflect(dirty.length, "has", "have")} uncommitted changes`,
      "commit them, or use --force to overwrite them",
    );
  }
  if (dirty === undefined)
    // Back up the files, because there is no git repository. If the backup's path is a symbolic link,
    // `replaceFile` replaces the link instead of its target.
    for (const path of notOurs)
      await replaceFile(join(root, `${path}.orig`), existing.get(path) ?? (await readFile(join(root, path))));
  for (const [path, text] of touched) await replaceFile(join(root, path), text);
  for (const path of plan.removes) await rm(join(root, path), { force: true });
  for (const path of [...touched.map(([path]) => path), ...plan.removes]) written.add(path);
}

/** @returns files with uncommitted changes; undefined if the directory is not in a repository */
async function findDirtyFiles(root: string, paths: readonly string[]): Promise<string[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      "git",
      ["-C", root, "status", "--porcelain", "-z", "--untracked-files=all", "--ignored", "--", ...paths],
      { windowsHide: true },
    );
    return stdout
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => line.slice(3));
  } catch {
    return undefined;
  }
}

async function showPull(
  session: Session,
  { target }: TargetContext,
  plan: PullPlan,
  isNew: boolean,
): Promise<void> {
  const { written, created, left, conflicts, gone, removes, drops, unbound, unmanaged, unknown } = plan;
  const createdKeys = created.map(({ key }) => key).sort();
  if (session.output.format !== "table") {
    await session.output.item({
      target,
      written,
      created: createdKeys,
      removed: removes,
      dropped: drops,
      left,
      conflicts,
      gone,
      unbound: unbound.map(({ key }) => key),
      unmanaged,
      unknown,
    });
  } else {
    const notManaged =
      created.length > 0 ? [] : Object.entries(unmanaged).map(([type, count]) => `${count} ${type}`);
    const lines = [
      ...written.map(({ key, fields }) => `  ~ ${key}: ${fields.join(", ")}`),
      ...createdKeys.map((key) => `  + ${key}`),
      ...drops.map((key) => `  - ${key}`),
      ...left.map(({ key, field, reason }) => `  ! ${key}: ${field} was skipped: ${reason}`),
      ...gone
        .filter((key) => !drops.includes(key))
        .map(
          (key) =>
            `  ! ${key} was deleted; to remove its ${key.includes("#") ? "entry" : "file"}, use --prune`,
        ),
      ...unbound.map(
        ({ key, ids }) =>
          `  ! ${key} is not bound, but ${ids.join(", ")} ${inflect(ids.length, "has", "have")} the same name; to bind it, run \`voxctl config adopt\``,
      ),
      ...conflicts.map(
        ({ key, fields }) =>
          `  ! ${key}: ${fields.join(", ")}: changed in the file and in the organization; use --resolve live or --resolve file`,
      ),
      ...(Object.keys(unknown).length > 0
        ? [
            `  undocumented fields: ${Object.entries(unknown)
              .map(([field, count]) => `${field} (${formatCount(count, "resource")})`)
              .join(", ")}; to manage them, add them to a file under extra:`,
          ]
        : []),
      ...(notManaged.length > 0
        ? [`  without a file: ${notManaged.join(", ")}${isNew ? "" : "; to write files for them, use --new"}`]
        : []),
    ];
    await session.output.lines([
      ...lines,
      lines.length === 0
        ? `${target}: all files are up to date`
        : `${target}: ${formatCount(written.length, "file")} written, ${created.length} new${drops.length === 0 ? "" : `, ${drops.length} removed`}`,
    ]);
  }
  if (conflicts.length === 0) return;
  throw new CliError({
    exit: exits.differences,
    code: "config_differs",
    message: `${formatCount(conflicts.length, "resource")} changed both in the file and in the organization: ${conflicts.map(({ key }) => key).join(", ")}`,
    outcome: "none",
    hint: "choose a value with --resolve live or --resolve file",
  });
}
