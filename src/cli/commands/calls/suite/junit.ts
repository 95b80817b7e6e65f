import type { ScenarioResult } from "./run.js";
import type { Suite } from "./suite.js";

/** Characters that XML 1.0 has no form for. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * The results as JUnit's XML, as CI systems read it.
 * @param textOf what a person is to read of one: expectations and transcript
 * @param begun milliseconds
 */
export function junitText(
  suite: Suite,
  results: readonly ScenarioResult[],
  { textOf, begun }: { textOf: (result: ScenarioResult) => string; begun: number },
): string {
  const count = (result: ScenarioResult["result"]) => results.filter((one) => one.result === result).length;
  const seconds = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1_000;
  const totals = attributes({
    tests: results.length,
    failures: count("failed"),
    errors: count("error"),
    skipped: count("skipped"),
    time: seconds.toFixed(3),
  });
  const suiteAttributes = attributes({
    name: suite.name,
    file: suite.file,
    timestamp: new Date(begun).toISOString().slice(0, 19),
  });
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites${totals}>`,
    `  <testsuite${suiteAttributes}${totals}>`,
    ...results.map((result) => testcase(suite, result, textOf(result))),
    `  </testsuite>`,
    `</testsuites>`,
    "",
  ].join("\n");
}

function testcase(suite: Suite, one: ScenarioResult, text: string): string {
  const { scenario, result, milliseconds } = one;
  const head = attributes({
    name: scenario.name,
    classname: suite.name,
    file: suite.file,
    line: scenario.line,
    time: (milliseconds / 1_000).toFixed(3),
  });
  const message = attributes({ message: summaryOf(one) });
  const body =
    result === "failed"
      ? `<failure${message} type="expectation">${escapeXml(text)}</failure>`
      : result === "error"
        ? `<error${message}>${escapeXml(text)}</error>`
        : result === "skipped"
          ? `<skipped/>`
          : `<system-out>${escapeXml(text)}</system-out>`;
  return `    <testcase${head}>\n      ${body}\n    </testcase>`;
}

/** The failure, on one line. */
export function summaryOf({ checks, error }: ScenarioResult): string {
  if (error) return error.message;
  return checks
    .filter(({ met }) => !met)
    .map(({ field, expected, actual }) => `${field}: expected ${expected}, ${wasText(actual)}`)
    .join("; ");
}

/** The found value in place of the expected one, in a sentence. */
export function wasText(actual: string): string {
  return /^(was|there|still) /.test(actual) ? actual : `was ${actual}`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
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
