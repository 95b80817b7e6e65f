import { resolve } from "node:path";
import { messageOf } from "../../base/error-code.js";
import { isSameFile, resolveFileTarget, type Waiting } from "../../base/file-target.js";
import { unwritableFile } from "../../base/input-file.js";
import { usageError } from "../errors/errors.js";
import { buildErrorReport } from "../errors/exit-codes.js";
import type { Notes } from "../terminal/notes.js";
import { createPaint } from "../terminal/paint.js";
import { formatReport } from "./error-text.js";
import { assertReplaceable, type Own } from "./replaceable.js";
import { assertNotStdout, openResultFile, type ResultFile } from "./result-file.js";
import { type Reporting, saveFailure } from "./save-results.js";

export const junitResults: Own = {
  flag: "junit",
  otherwise: "contains no JUnit results",
  isOwn: (head) => /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<testsuites[\s/>]/.test(head),
};

/**
 * Runs `work`, which prepares the tests. If the preparation fails, writes the failure as the only test case,
 * because CI systems read only the JUnit file.
 * @param suite path of the suite as typed, and start time in milliseconds
 */
export async function reportUnstartedSuite<T>(
  session: Reporting,
  junit: ResultFile | undefined,
  { file, begun }: { file: string; begun: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    const report = buildErrorReport(error, session.signal);
    const text = report === undefined ? message : String(formatReport(report, { paint: createPaint(false) }));
    return saveFailure(session, error, async () => junit?.write(formatFailure(file, begun, message, text)));
  }
}

function formatFailure(file: string, begun: number, message: string, text = message): string {
  const failure: JunitCase = { name: file, milliseconds: 0, result: "error", message, text };
  return formatJunit({ name: file, file, begun }, [failure]);
}

/** The JUnit file contains this error until the run has finished. */
export const unfinishedRun = "the run has not finished, or was killed";

/** Characters that XML 1.0 can't represent. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export interface JunitCase {
  name: string;
  milliseconds: number;
  result: "passed" | "failed" | "error" | "skipped";
  /** Default: `expectation`. */
  type?: "expectation" | "difference";
  /** On one line. */
  message: string;
  text: string;
}

/**
 * Returns the JUnit file. Uses only attributes of the Jenkins schema, because the xUnit plugin of Jenkins
 * rejects files with other attributes.
 * @param suite name, path as typed, and start time in milliseconds
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
  { name, milliseconds, result, type = "expectation", message, text }: JunitCase,
): string {
  const head = formatAttributes({
    name,
    classname: suite.name,
    time: (milliseconds / 1_000).toFixed(3),
  });
  const why = formatAttributes({ message });
  const body =
    result === "failed"
      ? `<failure${why} type="${type}">${escapeXml(text)}</failure>`
      : result === "error"
        ? `<error${why}>${escapeXml(text)}</error>`
        : result === "skipped"
          ? `<skipped${message === "" ? "" : why}/>`
          : `<system-out>${escapeXml(text)}</system-out>`;
  return `    <testcase${head}>\n      ${body}\n    </testcase>`;
}

function formatAttributes(values: Readonly<Record<string, string | number>>): string {
  return (
    Object.entries(values)
      // A parser converts a line break in an attribute to a blank.
      .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replace(/[\t\n]/g, toReference)}"`)
      .join("")
  );
}

function escapeXml(text: string): string {
  return (
    text
      .replace(impossible, "�")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      // A parser converts a carriage return to a line feed.
      .replaceAll("\r", toReference)
  );
}

function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/**
 * Opens the file before the run. Until the run ends, the file reports an unfinished run.
 * @param source path of the suite; `-` for standard input
 * @param replaces whether to overwrite a file with other content
 * @throws usage error (2), refused error (12) for a file with other content
 */
export async function openJunit(
  file: string | undefined,
  source: string,
  session: Waiting & { io: { cwd: string }; notes: Pick<Notes, "note"> },
  { replaces }: { replaces: boolean },
): Promise<ResultFile | undefined> {
  if (file === undefined) return undefined;
  const { cwd } = session.io;
  const path = resolve(cwd, file);
  assertNotStdout("junit", file, path);
  const label = `--junit: ${file}`;
  const target = await resolveFileTarget(path).catch((error: unknown) => {
    throw unwritableFile(label, error);
  });
  if (source !== "-" && isSameFile(resolve(cwd, source), path))
    throw usageError(`${label} is the suite file, which would be overwritten`);
  if (!replaces) await assertReplaceable(target, junitResults, file, "nothing was sent");
  const unfinished = formatFailure(source, session.clock.now(), unfinishedRun);
  const { write, writeUnfinished } = await openResultFile(target, label, unfinished, session);
  return {
    writeUnfinished,
    async write(text) {
      await write(text);
      session.notes.note(`Saved the JUnit results to ${file}.`);
    },
  };
}
