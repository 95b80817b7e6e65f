/** Checks that the output files of a run don't overwrite its input files or other files. */
import { resolve } from "node:path";
import { isSameFile, resolveFileTarget } from "../../../base/file-target.js";
import { usageError } from "../../../cli/errors/errors.js";
import { junitResults } from "../../../cli/output/junit.js";
import { assertReplaceable, type Own } from "../../../cli/output/replaceable.js";
import { assertNotStdout } from "../../../cli/output/result-file.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { isBaselineText } from "../baseline.js";

export const forceFlag: Flag = {
  name: "force",
  description:
    "Overwrite the --record and --junit files even if they are not results; earlier results are always overwritten",
};

/** Flags that write a file. Without --force, each of them overwrites only a file in its own format. */
const outputs = {
  junit: junitResults,
  record: { flag: "record", otherwise: "is not a results baseline", isOwn: isBaselineText },
} satisfies Record<string, Own>;

interface NamedFile {
  flag: string;
  file: string;
  path: string;
}

/**
 * Checks output files before the first prompt or call.
 * @param flags the JUnit file is checked first, because it reports what is wrong with the others
 * @throws usage error (2) if one file is used for two purposes; refused error (12) if a file has other content
 */
export async function assertOutputs(
  { io }: Pick<Session, "io">,
  input: Input,
  flags: readonly (keyof typeof outputs)[],
): Promise<void> {
  const toNamedFiles = (flag: string, file: string | undefined): NamedFile[] =>
    file === undefined || file === "" ? [] : [{ flag, file, path: resolve(io.cwd, file) }];
  const suite = input.arguments[0];
  const taken = [
    ...toNamedFiles("suite", suite === "-" ? undefined : suite),
    ...["baseline", "quarantine"].flatMap((flag) => toNamedFiles(flag, input.text(flag))),
  ];
  const force = input.on("force") === true;
  if (force && !Object.keys(outputs).some((flag) => input.has(flag)))
    throw usageError("--force requires --record or --junit");
  for (const own of flags.map((flag) => outputs[flag])) {
    const [output] = toNamedFiles(own.flag, input.text(own.flag));
    if (output) assertNotStdout(output.flag, output.file, output.path);
    // Ignore an unreadable path here, because opening the file reports it later.
    const target = output && (await resolveFileTarget(output.path).catch(() => undefined));
    if (output === undefined || target === undefined || target.type === "device") continue;
    const same = taken.find(({ path }) => isSameFile(path, output.path));
    if (same) throw toTwoRolesError(output, same);
    taken.push(output);
    if (!force) await assertReplaceable(target, own, output.file, "no calls were placed");
  }
}

function toTwoRolesError({ flag, file }: NamedFile, same: NamedFile): Error {
  if (same.flag === "suite") return usageError(`--${flag}: ${file} is the suite file`);
  if (flag === "record" && same.flag === "baseline")
    return usageError(`--record: ${file} is also the file for --baseline`, {
      hint: "use a different file, or omit --baseline to accept the current results",
    });
  return usageError(`--${flag}: ${file} is also the file for --${same.flag}`, {
    hint: "use a different file for each flag",
  });
}
