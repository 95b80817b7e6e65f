/** Prevents a run's output files from overwriting its input files or unrelated files. */
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
    "Overwrite the --record and --junit files even if they aren't results; without this flag, only earlier results are overwritten",
};

/** Flags that write a file. Without --force, a flag overwrites only files in the format that it writes. */
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
 * Checks an output file before the first call. Must be called for --junit first, because errors about
 * --record are written to the JUnit file.
 * @throws usage error (2) if the file is used for two purposes; refused error (12) if it has a different
 * format
 */
export async function assertOutput(
  { io }: Pick<Session, "io">,
  input: Input,
  flag: keyof typeof outputs,
): Promise<void> {
  const toNamedFiles = (name: string, file: string | undefined): NamedFile[] =>
    file === undefined || file === "" ? [] : [{ flag: name, file, path: resolve(io.cwd, file) }];
  const force = input.on("force") === true;
  if (force && !Object.keys(outputs).some((name) => input.has(name)))
    throw usageError("--force requires --record or --junit");
  const [output] = toNamedFiles(flag, input.text(flag));
  if (output === undefined) return;
  assertNotStdout(flag, output.file, output.path);
  // Ignore an unreadable path here, because opening the file will report it.
  const target = await resolveFileTarget(output.path).catch(() => undefined);
  if (target === undefined || target.type === "device") return;
  const suite = input.arguments[0];
  const taken = [
    ...toNamedFiles("suite", suite === "-" ? undefined : suite),
    ...["baseline", "quarantine", ...(flag === "record" ? ["junit"] : [])].flatMap((name) =>
      toNamedFiles(name, input.text(name)),
    ),
  ];
  const same = taken.find(({ path }) => isSameFile(path, output.path));
  if (same) throw toTwoRolesError(output, same);
  if (!force) await assertReplaceable(target, outputs[flag], output.file, "no calls were placed");
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
