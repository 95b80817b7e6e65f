import { appendFile, mkdir, readFile, rm, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileExistsError, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { ClientError } from "../../../client/errors.js";
import { environmentName } from "../../../contract/environment-variables.js";
import { withConfigErrors } from "./errors.js";
import { pullTarget } from "./pull.js";
import { getSchemaFolder, updateSchemas } from "./schema-files.js";
import { forEachTarget, readTargetNames } from "./target-context.js";

export const init: Command = {
  name: "init",
  summary: "Create a configuration directory for an organization",
  description:
    "Writes the project file, the git settings and a file for each resource, as `config pull --new` does. The organization doesn't change.",
  arguments: [
    { name: "directory", description: "Directory to set up; created if it doesn't exist", optional: true },
  ],
  flags: [
    {
      name: "target",
      value: "name",
      description: "Name for the organization in the project file",
      required: true,
    },
  ],
  examples: [{ command: "voxctl config init praxis --target prod --profile praxis" }],
  run: (session, input) => withConfigErrors(() => runInit(session, input)),
};

async function runInit(session: Session, input: Input): Promise<void> {
  const { openFolder, projectText, replaceFile, unfilledSource } = await import("../index.js");
  const [target = "", ...furtherTargets] = readTargetNames(input);
  if (furtherTargets.length > 0)
    throw usageError("invalid --target: expected a single target", {
      hint: "to add other targets, edit the project file",
    });
  const [given = "."] = input.arguments;
  const root = resolve(session.io.cwd, given);
  const file = join(root, "voxctl.project.yaml");
  if ((await stat(file).catch(() => undefined)) !== undefined)
    throw fileExistsError(
      relative(session.io.cwd, file) || file,
      "to update the directory, run `voxctl config pull --new`",
    );
  const { name: profile } = await session.profile();
  await mkdir(root, { recursive: true });
  const project = session.random.bytes(6).toString("hex");
  await replaceFile(file, projectText(project, target, profile === environmentName ? undefined : profile));
  await addMissingLines(join(root, ".gitattributes"), ["* text=auto eol=lf"]);
  await addMissingLines(join(root, ".gitignore"), ["*.orig", "*.part"]);
  await mkdir(getSchemaFolder(root), { recursive: true });
  await updateSchemas(root);
  const folder = await openFolder(root);
  const counts = { files: 0, left: 0 };
  let hasPlaceholders = false;
  const pulling = forEachTarget(session, input, folder, { mutates: false }, async (targetContext) => {
    const plan = await pullTarget(targetContext, {
      isNew: true,
      deletesFiles: false,
      resolve: undefined,
      keys: undefined,
      force: false,
      written: new Set(),
    });
    counts.files = plan.writes.size;
    counts.left = plan.left.length;
    hasPlaceholders = [...plan.writes.values()].some((text) => text.includes(unfilledSource));
    for (const { key, field, reason } of plan.left)
      session.notes.warn(`skipping ${field} of ${key}: ${reason}`);
  });
  await pulling.catch(async (error: unknown) => {
    // A ClientError means that the import failed before it wrote a file. Remove the project file, so that the
    // user can run the command again.
    if (error instanceof ClientError) await rm(file);
    throw error;
  });
  if (hasPlaceholders)
    session.notes.note(
      `The service doesn't return secrets. Replace ${unfilledSource} in the files; to list the fields, run \`voxctl config check\`.`,
    );
  await session.output.item({ folder: root, project, target, profile, ...counts });
}

/** Keeps the bytes of existing lines, because the file's encoding is unknown. */
async function addMissingLines(path: string, lines: readonly string[]): Promise<void> {
  const before = await readFile(path, "latin1").catch(() => "");
  const existing = new Set(before.split(/\r?\n/));
  const missing = lines.filter((line) => !existing.has(line));
  if (missing.length === 0) return;
  const end = before === "" || before.endsWith("\n") ? "" : "\n";
  await appendFile(path, `${end}${missing.join("\n")}\n`);
}
