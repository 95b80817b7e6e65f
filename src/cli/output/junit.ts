import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isSameFile, resolveFileTarget, type Waiting, writeTarget } from "../../base/file-target.js";
import { unwritableFile } from "../../base/input-file.js";
import { CliError, usageError } from "../errors/errors.js";
import { assertReplaceable, type Own } from "./replaceable.js";

/** Identifies the file of `--junit`. */
export const junitResults: Own = {
  flag: "junit",
  otherwise: "contains no JUnit results",
  isOwn: (head) => /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<testsuites[\s/>]/.test(head),
};

/** An opened file of `--junit`. */
export interface JunitFile {
  write(text: string): Promise<void>;
}

/**
 * Runs the steps before the first test. Reports a failure as the only case, because a CI system reads only the file.
 * @param suite the file as typed, and the start time (milliseconds)
 */
export async function reportUnstartedSuite<T>(
  junit: JunitFile | undefined,
  { file, begun }: { file: string; begun: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure: JunitCase = { name: file, milliseconds: 0, result: "error", message, text: message };
    await junit?.write(formatJunit({ name: file, file, begun }, [failure]));
    throw error;
  }
}

/** Characters that XML 1.0 can't represent. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** One test in JUnit's XML. */
export interface JunitCase {
  name: string;
  milliseconds: number;
  result: "passed" | "failed" | "error" | "skipped";
  /** The failure, on one line. */
  message: string;
  /** Its output, for the user. */
  text: string;
}

/**
 * Formats results as JUnit's XML, for CI systems: with the attributes that Jenkins' schema knows, since its xUnit plugin
 * refuses a file with any other.
 * @param suite its name, its file as typed, and its start time (milliseconds)
 */
export function formatJunit(
  suite: { name: string; file: string; begun: number },
  cases: readonly JunitCase[],
): string {
  const count = (result: JunitCase["result"]) =>
    cases.filter((junitCase) => junitCase.result === result).length;
  const seconds = cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1_000;
  const totals = { tests: cases.length, failures: count("failed"), errors: count("error") };
  const time = seconds.toFixed(3);
  const suiteAttributes = formatAttributes({
    name: suite.name,
    file: suite.file,
    timestamp: new Date(suite.begun).toISOString().slice(0, 19),
    ...{ ...totals, skipped: count("skipped"), time },
  });
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites${formatAttributes({ ...totals, time })}>`,
    `  <testsuite${suiteAttributes}>`,
    ...cases.map((junitCase) => formatTestcase(suite, junitCase)),
    `  </testsuite>`,
    `</testsuites>`,
    "",
  ].join("\n");
}

function formatTestcase(
  suite: { name: string },
  { name, milliseconds, result, message, text }: JunitCase,
): string {
  const head = formatAttributes({
    name,
    classname: suite.name,
    time: (milliseconds / 1_000).toFixed(3),
  });
  const why = formatAttributes({ message });
  const body =
    result === "failed"
      ? `<failure${why} type="expectation">${escapeXml(text)}</failure>`
      : result === "error"
        ? `<error${why}>${escapeXml(text)}</error>`
        : result === "skipped"
          ? `<skipped${message === "" ? "" : why}/>`
          : `<system-out>${escapeXml(text)}</system-out>`;
  return `    <testcase${head}>\n      ${body}\n    </testcase>`;
}

function formatAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");
}

function escapeXml(text: string): string {
  return text
    .replace(impossible, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * Checks the file of `--junit` before the run, so that results are not lost.
 * A FIFO is written once, at the end: its reader would treat the first end as the whole.
 * @param source the file of the suite, `-` for standard input
 * @param replaces whether any content may be overwritten: it was checked, or a flag is set
 * @throws usage error (2), refused error (12) for a file with other content
 */
export async function openJunit(
  file: string | undefined,
  source: string,
  session: Waiting & { io: { cwd: string } },
  { replaces }: { replaces: boolean },
): Promise<JunitFile | undefined> {
  if (file === undefined) return undefined;
  const { cwd } = session.io;
  const path = resolve(cwd, file);
  try {
    const target = await resolveFileTarget(path);
    if (source !== "-" && isSameFile(resolve(cwd, source), path))
      throw usageError(`--junit: ${file} is the suite itself, which would be overwritten`);
    if (!replaces) await assertReplaceable(target, junitResults, file, "nothing was sent");
    if (target.type === "fifo") return { write: (text) => writeTarget(target, [text], session) };
    if (target.type === "other") throw usageError(`--junit: ${file} is neither a file nor a pipe`);
    if (target.type !== "device") await writeFile(path, "");
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unwritableFile(`--junit: ${file}`, error);
  }
  return { write: (text) => writeFile(path, text) };
}
