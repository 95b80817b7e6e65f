import { join } from "node:path";
import { formatCount } from "../../../base/text.js";
import { CliError, exits, notFoundError } from "../../../cli/errors/errors.js";
import type { View } from "../../../cli/output/output.js";
import { accessFlags } from "../../../cli/session/access-flags.js";
import type { Command } from "../../../cli/session/command.js";
import { openLocalAccess } from "../../../cli/session/folder-access.js";
import type { Input } from "../../../cli/session/input.js";
import { listedIn } from "../../../cli/session/listed.js";
import type { Session } from "../../../cli/session/session.js";
import type { Problem } from "../errors.js";
import type { Folder } from "../folder/open.js";
import { withConfigErrors } from "./errors.js";
import { folderFlag } from "./flags.js";
import { updateSchemas } from "./schema-files.js";
import { openCommandFolder } from "./target-context.js";

const view: View = {
  columns: [
    { header: "FILE", value: "file", keep: true },
    { header: "LINE", value: "line", align: "right", keep: true },
    { header: "FIELD", value: "field" },
    {
      header: "ERROR",
      value: ({ message, targets }) =>
        `${message}${targets === undefined ? "" : ` (only ${[targets].flat().join(", ")})`}`,
    },
  ],
  empty: "The directory is valid.",
  noun: "error",
};

export const check: Command = {
  name: "check",
  summary: "Check the directory's files, values and references",
  description:
    "Checks the directory for every target, with the target's overlay and variables. Exits with code 2 if it finds an error. Each error shows the file, line and field, and the affected targets unless all are affected.\n\nWith --fix, voxctl first sorts the fields in schema order and normalizes line endings. Comments stay above their fields, and contents don't change. Any schemas in .voxctl/schema are updated.",
  arguments: [{ name: "key", description: "Check only these keys", optional: true, variadic: true }],
  flags: [
    folderFlag,
    { name: "target", value: "names", description: "Check only these targets", default: "all" },
    { name: "fix", description: "Format the files before checking them" },
    ...accessFlags,
  ],
  examples: [
    { command: "voxctl config check" },
    { command: "voxctl config check prompts/empfang" },
    {
      command: "voxctl config check --fix",
      note: "Format the files; in CI, run `git diff --exit-code` next",
    },
  ],
  verdict: true,
  run: (session, input) => withConfigErrors(() => runCheck(session, input)),
};

async function runCheck(session: Session, input: Input): Promise<void> {
  let folder = await openCommandFolder(session, input);
  if (input.on("fix") === true && (await formatFiles(session, folder)))
    folder = await openCommandFolder(session, input);
  const { assertNoProblems, declare, isWithin, secretProblems, targetOf } = await import("../index.js");
  const named = input.text("target");
  const targets = named === undefined ? Object.keys(folder.project.targets) : listedIn(named, "--target");
  const problems = new Map<string, { problem: Problem; of: Set<string> }>();
  const keys = new Set<string>();
  const files = new Map<string, string>();
  for (const target of targets) {
    const access = await openLocalAccess(session, input, targetOf(folder, target).profile, folder.root);
    const { declared, problems: targetProblems } = declare(folder, target, {
      env: session.io.env,
      access,
    });
    assertNoProblems(
      targetProblems.filter(({ refused }) => refused !== undefined),
      access.advice,
    );
    for (const key of declared.objects.keys()) keys.add(key);
    for (const source of declared.sources) files.set(source.path, source.key);
    for (const problem of [...targetProblems, ...[...declared.objects.values()].flatMap(secretProblems)]) {
      const text = JSON.stringify(problem);
      problems.set(text, { problem, of: new Set([...(problems.get(text)?.of ?? []), target]) });
    }
  }
  const requestedKeys = input.arguments;
  const findKey = (file: string) => files.get(file) ?? file.replace(/\.(?:yaml|md)$/, "");
  const unknown = requestedKeys.find(
    (key) => !keys.has(key) && ![...problems.values()].some(({ problem }) => findKey(problem.file) === key),
  );
  if (unknown !== undefined) throw notFoundError(`key ${unknown} not found in the directory`);
  const ofFiles = requestedKeys.flatMap((key) => key.split("#")[0] ?? []);
  const shownProblems = [...problems.values()]
    .filter(({ problem: { file } }) => requestedKeys.length === 0 || isWithin(findKey(file), ofFiles))
    .map(({ problem, of }) => (of.size === targets.length ? problem : { ...problem, targets: [...of] }));
  const count = await session.output.list(shownProblems, view);
  if (count === 0) return;
  throw new CliError({
    exit: exits.usage,
    code: "config_invalid",
    message: `the directory has ${formatCount(count, "error")}`,
  });
}

/** @returns whether any file was formatted */
async function formatFiles(session: Session, folder: Folder): Promise<boolean> {
  const { formatFolder, replaceFile } = await import("../index.js");
  const changed = formatFolder(folder);
  for (const [path, text] of changed) await replaceFile(join(folder.root, path), text);
  await updateSchemas(folder.root);
  if (changed.size > 0) session.notes.note(`formatted ${[...changed.keys()].join(", ")}`);
  return changed.size > 0;
}
