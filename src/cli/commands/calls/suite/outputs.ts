/** The files that a run writes, held against those that it reads and those that are there: none is lost unasked. */
import { resolve } from "node:path";
import { isSameFile, resolveFileTarget } from "../../../../base/file-target.js";
import { usageError } from "../../../errors/errors.js";
import { junitResults } from "../../../output/junit.js";
import { assertReplaceable, type Own } from "../../../output/replaceable.js";
import type { Flag, Input } from "../../../session/input.js";
import type { Session } from "../../../session/session.js";
import { isBaselineText } from "./baseline.js";

export const forceFlag: Flag = {
  name: "force",
  description: "Overwrite a file of --record or --junit with other content",
};

/** Each flag that writes, with what it may replace: what it would have written itself. */
const outputs: readonly Own[] = [
  { flag: "record", otherwise: "is no record of calls", isOwn: isBaselineText },
  junitResults,
];

interface NamedFile {
  flag: string;
  file: string;
  path: string;
}

/**
 * Looked at before anything is asked or called.
 * @throws usage error (2) for one file in two roles; refused error (12) for a file that holds something else
 */
export async function assertOutputs({ io }: Pick<Session, "io">, input: Input): Promise<void> {
  const toNamedFiles = (flag: string, file: string | undefined): NamedFile[] =>
    file === undefined || file === "" ? [] : [{ flag, file, path: resolve(io.cwd, file) }];
  const suite = input.arguments[0];
  const taken = [
    ...toNamedFiles("suite", suite === "-" ? undefined : suite),
    ...["baseline", "quarantine"].flatMap((flag) => toNamedFiles(flag, input.text(flag))),
  ];
  const force = input.on("force") === true;
  if (force && !outputs.some(({ flag }) => input.has(flag)))
    throw usageError("--force belongs to --record and --junit, which are missing");
  for (const own of outputs) {
    const [output] = toNamedFiles(own.flag, input.text(own.flag));
    if (output?.file === "-")
      throw usageError(`--${own.flag}: - is no file, and the results go to standard output; name a file`);
    // What can't be looked at can't be written either, and is refused where it is opened.
    const target = output && (await resolveFileTarget(output.path).catch(() => undefined));
    if (output === undefined || target === undefined || target.type === "device") continue;
    const same = taken.find(({ path }) => isSameFile(path, output.path));
    if (same) throw toTwoRolesError(output, same);
    taken.push(output);
    if (!force) await assertReplaceable(target, own, output.file, "nothing was called");
  }
}

function toTwoRolesError({ flag, file }: NamedFile, same: NamedFile): Error {
  if (same.flag === "suite")
    return usageError(`--${flag}: ${file} is the suite itself, which would be overwritten`);
  if (flag === "record" && same.flag === "baseline")
    return usageError(
      `--record: ${file} is the file of --baseline, too: what differs would be accepted in the same run`,
      { hint: "Record into another file, or leave out --baseline to accept how the calls go now" },
    );
  return usageError(`--${flag}: ${file} is the file of --${same.flag}, too`, {
    hint: "Give each a file of its own",
  });
}
