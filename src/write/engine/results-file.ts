import { open } from "node:fs/promises";
import { describeFsError } from "../../base/describe-fs-error.js";
import { resolveFileTarget, type Waiting, writeTarget } from "../../base/file-target.js";
import { unwritableFile } from "../../base/input-file.js";
import { BulkError } from "../errors.js";
import type { ResultItem } from "../journal/outcome.js";
import { recordOf } from "../values.js";

export interface ResultLine extends Readonly<Record<string, unknown>> {
  /** Number of the row in the input file; null for a resource that has no row. */
  readonly row: number | null;
  readonly line: number | null;
  readonly outcome: string;
}

export interface Rejected {
  /** Also counts rows that were used without their invalid cells. */
  count: number;
  first: ResultLine[];
  /** Imported rows that change an existing resource. */
  changed: { count: number; first: ResultLine[] };
}

export interface ResultsFile {
  /** Writes the results, and returns the results to show to the user. */
  write(items: Iterable<ResultItem>): Promise<Rejected>;
  close(): Promise<void>;
}

const rejectedShown = 10;
const rejections = new Set(["invalid", "failed", "unknown", "drifted", "blocked", "ambiguous"]);

/**
 * Opens the file before the first request, so that an unwritable path fails early. A FIFO is opened on the
 * first write, because its reader may start late.
 * @throws BulkError
 */
export async function openResultsFile(path: string, waiting: Waiting): Promise<ResultsFile> {
  const refuse = (reason: string, cause?: unknown): never => {
    throw new BulkError("report_not_writable", `--report: ${path} can't be written: ${reason}`, undefined, {
      cause,
    });
  };
  const impossible = (cause: unknown) => refuse(describeFsError(cause, "write"), cause);
  const target = await resolveFileTarget(path).catch(impossible);
  if (target.type === "other") refuse("the path is neither a file nor a pipe");
  const file = target.type === "fifo" ? undefined : await open(path, "w", 0o600).catch(impossible);
  const writeTexts = async (texts: Generator<string, void>) => {
    if (file === undefined) return writeTarget(target, texts, waiting);
    for (const text of texts)
      await file.writeFile(text).catch((cause: unknown) => {
        throw unwritableFile(`--report: ${path}`, cause);
      });
  };
  return {
    async write(items) {
      const rejected: Rejected = { count: 0, first: [], changed: { count: 0, first: [] } };
      await writeTexts(formatResults(items, rejected));
      return rejected;
    },
    close: async () => file?.close(),
  };
}

function* formatResults(items: Iterable<ResultItem>, rejected: Rejected): Generator<string, void> {
  let text = "";
  for (const item of items) {
    const line = toResultLine(item);
    const isRejected = rejections.has(line.outcome);
    if (isRejected) add(rejected, line);
    if (line.outcome === "partly") add(rejected, withDroppedCells(line));
    if (!isRejected && item.action === "update") add(rejected.changed, line);
    text += `${JSON.stringify(line)}\n`;
    if (text.length < 64 * 1024) continue;
    yield text;
    text = "";
  }
  yield text;
}

function add(tally: Pick<Rejected, "count" | "first">, line: ResultLine): void {
  tally.count += 1;
  if (tally.first.length < rejectedShown) tally.first.push(line);
}

function withDroppedCells(line: ResultLine): ResultLine {
  const problems: unknown[] = Array.isArray(line["dropped"]) ? line["dropped"] : [];
  return { ...line, ...recordOf(problems[0]), problems };
}

export function toResultLine(item: ResultItem): ResultLine {
  const { number, line, state, target, body, before } = item;
  const { contact, ...detail } = recordOf(item.detail);
  const isPartly = detail["dropped"] !== undefined && state !== "rejected" && item.outcome !== "invalid";
  const outcome = state === "unknown" || state === "sent" ? "unknown" : isPartly ? "partly" : item.outcome;
  return {
    row: number,
    line,
    outcome,
    ...(target === undefined ? {} : { id: target }),
    ...detail,
    ...recordOf(contact),
    ...(item.action === "create" ? recordOf(body) : {}),
    ...(item.action === "update" ? { changes: body, before } : {}),
  };
}
