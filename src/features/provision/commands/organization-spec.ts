import { extname, join, resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { makePrivateFolder } from "../../../base/private-file.js";
import { findRepeatedKey } from "../../../base/repeated-keys.js";
import { withoutSignalListeners } from "../../../base/signals.js";
import { findLostLetters, lostLettersReason, readUtf8, readUtf8Stream } from "../../../base/utf8.js";
import { warnOfHiddenContent } from "../../../cli/bulk/sheet-warnings.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import type { LineOf, OrganizationSpec, SpecProblem, SpecResult } from "../index.js";

const tables = [".csv", ".tsv", ".xlsx"];

function isTable(file: string): boolean {
  return tables.includes(extname(file).toLowerCase());
}

/**
 * Reads the organization spec from a file, or from standard input if the file is `-`.
 * @throws usage error (exit code 2) that lists all errors in the spec
 */
export async function readOrganizationSpec(file: string, session: Session): Promise<OrganizationSpec> {
  if (file === "") throw usageError("<spec> is empty");
  const { parseSpecDocument, parseSpecRows } = await import("../index.js");
  let result: SpecResult;
  if (isTable(file)) {
    const { openSource } = await import("../../import/index.js");
    const { BulkError } = await import("../../../write/index.js");
    const temporaryFolder = join(session.folders.data, "runs");
    await makePrivateFolder(temporaryFolder);
    try {
      const source = await openSource(
        { path: resolve(session.io.cwd, file) },
        { name: file, temporaryFolder, signal: session.signal },
      );
      try {
        warnOfHiddenContent(session, source);
        result = await parseSpecRows(source.rows(), source.encoding);
      } finally {
        await source.close();
      }
    } catch (error) {
      if (!(error instanceof BulkError)) throw error;
      // Only imports have flags that specify how to read a table.
      const hint =
        error.hintFlag === undefined
          ? error.hint
          : "save the table as a CSV file in UTF-8, separated by commas";
      throw usageError(error.message, { ...(hint ? { hint } : {}), cause: error });
    }
  } else {
    const { value, ...lines } = await readDocument(file, session);
    result = parseSpecDocument(value, lines);
  }
  if (!result.spec) assertNoSpecProblems(file, result.problems);
  if (!result.spec) throw usageError(`${file} can't be provisioned`);
  const lost = findLostLetters(result.spec);
  if (lost !== undefined) throw usageError(`${file}: ${lost.join(".")} ${lostLettersReason}`);
  return result.spec;
}

async function readDocument(
  file: string,
  session: Session,
): Promise<{ value: unknown; lineOf?: LineOf; keyLineOf?: LineOf }> {
  const { parseYamlWithLines, describeYamlError } = await import("../../../base/yaml-text.js");
  const name = file === "-" ? "standard input" : file;
  const text =
    file === "-"
      ? await readUtf8Stream(session.io.stdin)
      : await readUtf8(resolve(session.io.cwd, file)).catch((cause: unknown) => {
          throw usageError(`<spec>: ${file} can't be read: ${describeFsError(cause)}`, { cause });
        });
  const isJson = extname(file).toLowerCase() === ".json";
  try {
    // The YAML parser already rejects duplicate keys.
    return isJson
      ? { value: withoutSignalListeners(() => parseJsonStrictly(text)) }
      : parseYamlWithLines(text);
  } catch (error) {
    throw usageError(
      `<spec>: ${name} is not valid ${isJson ? "JSON" : "YAML"}: ${describeYamlError(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** @throws Error if the text is not valid JSON or has a duplicate key */
function parseJsonStrictly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const repeated = findRepeatedKey(text, value);
  if (repeated !== undefined) throw new Error(`duplicate key "${repeated}"`);
  return value;
}

/** @throws usage error (exit code 2) that lists all problems, if any */
export function assertNoSpecProblems(file: string, problems: readonly SpecProblem[], hint?: string): void {
  const [first, ...furtherProblems] = problems;
  if (!first) return;
  throw usageError(
    furtherProblems.length === 0
      ? `${file}: ${first.at}: ${first.message}`
      : `${file} has ${problems.length} errors`,
    {
      details: problems.map(({ at, message }) => ({ path: [at], message })),
      ...(hint === undefined ? {} : { hint }),
    },
  );
}

export function getMissingLicenseHint(file: string): string {
  return isTable(file)
    ? "to add a license, add a row with type license, the MSP in the parent column and the ID in the license column"
    : "to add licenses to an MSP, list them in its licenses field";
}
