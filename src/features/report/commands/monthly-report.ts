import { isFields } from "../../../base/fields.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import { describeRunningMonth } from "../../../cli/nouns/distributor/running-month.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { ApiName } from "../../../contract/apis.js";
import type { Chart, CheckedSum, Reading, ReportTable, Zone } from "../index.js";
import { readMonth } from "./month.js";

export const reportFormats = ["md", "html", "xlsx"] as const;

/** Maximum number of sums to list. If there are more, only the sums that differ are listed. */
const maxShown = 4;

export interface MonthlyReport {
  title: string;
  month: string;
  source: string;
  /** The current month in the report's time zone. */
  currentMonth: string;
  notes: readonly string[];
  /** All data of the report, for JSON. */
  data: object;
  /** Rows for CSV, NDJSON and spreadsheets. */
  rows: readonly unknown[];
  tables: readonly ReportTable[];
  charts: readonly Chart[];
}

export interface ReportContext {
  getMonth(zone: Zone): string;
  reading: Reading;
  /** Returns the URL of an API, or the profile's name if the API has no URL. */
  getServiceName(api: ApiName): string;
}

/** @throws usage error (2); CliError with exit code 10 if sums differ */
export async function runMonthlyReport(
  session: Session,
  input: Input,
  read: (context: ReportContext) => Promise<{ report: MonthlyReport; checks: readonly CheckedSum[] }>,
): Promise<void> {
  assertWritable(session);
  const getMonth = readMonth(session, input);
  const { client, profile, baseUrl } = await session.connect();
  const reading = { client, signal: session.signal };
  const getServiceName = (api: ApiName) => baseUrl(api) ?? profile.name;
  const { report, checks } = await read({ getMonth, reading, getServiceName });
  const { source, month, currentMonth } = report;
  const running = describeRunningMonth(month, currentMonth);
  const notes = [source, ...(running === undefined ? [] : [running]), ...report.notes];
  const data = { ...report.data, so_far: running !== undefined, ...(checks.length > 0 ? { checks } : {}) };
  await showMonthlyReport(session, { ...report, notes, data });
  assertSumsEqual(session, checks);
}

/** @throws usage error (2) if a spreadsheet would be written to a terminal */
function assertWritable({ flags, io }: Session): void {
  if (flags.ownFormat === "xlsx" && io.stdout.isTTY === true)
    throw usageError("can't write a spreadsheet to a terminal", {
      hint: "redirect the output to a file: > report.xlsx",
    });
}

async function showMonthlyReport(
  session: Session,
  report: Omit<MonthlyReport, "source" | "month" | "currentMonth">,
): Promise<void> {
  const { output, flags, io } = session;
  const { title, notes, data, rows, tables, charts } = report;
  const { formatHtml, formatMarkdown } = await import("../index.js");
  const fields = Object.keys(isFields(rows[0]) ? rows[0] : {});
  if (flags.ownFormat === "html") await output.document(formatHtml({ title, notes, charts, tables }));
  else if (flags.ownFormat === "md") await output.document(formatMarkdown(title, notes, tables));
  else if (flags.ownFormat === "xlsx") {
    const { formatSpreadsheet } = await import("../../../cli/bulk/export-contents.js");
    for await (const part of formatSpreadsheet(toAsync(rows), fields)) await writePart(io.stdout, part);
  } else if (output.format === "csv" || output.format === "ndjson")
    await output.list(rows, { columns: [], fields });
  else if (output.format === "table") {
    await output.lines([title, ...notes]);
    for (const { title: name, header, rows: lines } of tables) {
      await output.lines(["", name]);
      await output.list(
        lines.map((cells) => Object.fromEntries(header.map((head, index) => [head, cells[index] ?? ""]))),
        {
          columns: header.map((head, index) => ({
            header: head.toUpperCase(),
            value: (row) => row[head],
            align: index === 0 ? "left" : "right",
            keep: index <= 1,
          })),
        },
      );
    }
  } else await output.item(data);
}

async function* toAsync(rows: readonly unknown[]): AsyncGenerator<unknown, void> {
  yield* rows;
}

function writePart(stream: Session["io"]["stdout"], part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(part, (error) => (error ? reject(error) : resolve()));
  });
}

/** @throws CliError with exit code 10 if sums differ */
function assertSumsEqual(session: Session, checks: readonly CheckedSum[]): void {
  const wrong = checks.filter(({ equal }) => !equal);
  const shown = checks.length <= maxShown ? checks : checks.filter(({ reason }) => reason !== null);
  if (shown.length < checks.length)
    session.notes.note(`${checks.length - shown.length} of ${checks.length} sums match`);
  for (const { what, ours, theirs, reason } of shown)
    session.notes.note(
      `${what}: ${ours ?? "–"} and ${theirs ?? "–"}${reason === null ? "" : ` (${reason})`}`,
    );
  if (wrong.length === 0) return;
  throw new CliError({
    exit: exits.differences,
    code: "sums_differ",
    message: `${wrong.length} of ${checks.length} sums differ`,
    outcome: "none",
    hint: wrong.map(({ reason }) => reason).find((reason) => reason !== null) ?? undefined,
  });
}
