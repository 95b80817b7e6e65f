import type { SurfaceName } from "../../../contract/surfaces.js";
import type { CheckedSum, Reading, ReportTable } from "../../../report/index.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { isFields } from "../../output/fields.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { readMonth } from "./month.js";

/** Further values of `-o` for reports. */
export const reportFormats = ["md", "html", "xlsx"] as const;

/** Sums that agree, and are told all the same. */
const mostTold = 4;

export interface Report {
  title: string;
  /** The service, and whose days and hours they are. */
  source: string;
  /** The month is not over. */
  isSoFar: boolean;
  notes: readonly string[];
  /** The whole, for programs. */
  data: object;
  /** The rows of a file, for CSV and spreadsheets. */
  rows: readonly unknown[];
  tables: readonly ReportTable[];
  charts: readonly { title: string; svg: string }[];
}

/** The month that a report is asked for, and the service that tells of it. */
export interface Asked {
  month: string;
  reading: Reading;
  /** The service, for a person: the address of an interface, or the profile's name. */
  where(surface: SurfaceName): string;
}

/**
 * Reads a month, shows its report, and holds its sums against others.
 * @throws usage error (2); CliError differences (10)
 */
export async function runReport(
  session: Session,
  input: Input,
  read: (asked: Asked) => Promise<{ report: Report; checks: readonly CheckedSum[] }>,
): Promise<void> {
  assertWritable(session);
  const month = readMonth(session, input);
  const { client, profile, baseUrl } = await session.connect();
  const reading = { client, signal: session.signal };
  const where = (surface: SurfaceName) => baseUrl(surface) ?? profile.name;
  const { report, checks } = await read({ month, reading, where });
  const { source, isSoFar } = report;
  const notes = [source, ...(isSoFar ? ["the month is not over: so far"] : []), ...report.notes];
  const data = { ...report.data, so_far: isSoFar, ...(checks.length > 0 ? { checks } : {}) };
  await showReport(session, { ...report, notes, data });
  assertEqual(session, checks);
}

/** @throws usage error (2) where a spreadsheet would go to a terminal */
function assertWritable({ flags, io }: Session): void {
  if (flags.ownFormat === "xlsx" && io.stdout.isTTY === true)
    throw usageError("-o xlsx is a file for a spreadsheet, no text", { hint: "add > report.xlsx" });
}

/** Writes a report in the form that was asked for. */
async function showReport(session: Session, report: Omit<Report, "source" | "isSoFar">): Promise<void> {
  const { output, flags, io } = session;
  const { title, notes, data, rows, tables, charts } = report;
  const { htmlOf, markdownOf } = await import("../../../report/index.js");
  const fields = Object.keys(isFields(rows[0]) ? rows[0] : {});
  if (flags.ownFormat === "html") await output.document(htmlOf({ title, notes, charts, tables }));
  else if (flags.ownFormat === "md") await output.document(markdownOf(title, notes, tables));
  else if (flags.ownFormat === "xlsx") {
    const { spreadsheet } = await import("../bulk/export-contents.js");
    for await (const part of spreadsheet(each(rows), fields)) await write(io.stdout, part);
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

async function* each(rows: readonly unknown[]): AsyncGenerator<unknown, void> {
  yield* rows;
}

function write(stream: Session["io"]["stdout"], part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(part, (error) => (error ? reject(error) : resolve()));
  });
}

/** @throws CliError differences (10) */
function assertEqual(session: Session, checks: readonly CheckedSum[]): void {
  const wrong = checks.filter(({ equal }) => !equal);
  const told = checks.length <= mostTold ? checks : wrong;
  if (told.length < checks.length)
    session.notes.note(`${checks.length - wrong.length} of ${checks.length} sums agree`);
  for (const { what, ours, theirs, reason } of told)
    session.notes.note(`${what}: ${ours} and ${theirs ?? "–"}${reason === null ? "" : ` (${reason})`}`);
  if (wrong.length === 0) return;
  throw new CliError({
    exit: exits.differences,
    code: "sums_differ",
    message: `${wrong.length} of ${checks.length} sums differ`,
    outcome: "none",
    hint: wrong.map(({ reason }) => reason).find((reason) => reason !== null) ?? undefined,
  });
}
