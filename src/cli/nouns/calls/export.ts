import { type Fields, isFields } from "../../../base/fields.js";
import { writeTarget } from "../../../base/file-target.js";
import { formatCount, inflect } from "../../../base/text.js";
import type { Client } from "../../../client/types.js";
import { formatCsv, formatJsonLines } from "../../bulk/export-contents.js";
import {
  type ExportForms,
  isRegularFileTarget,
  printText,
  readExportOptions,
} from "../../bulk/export-options.js";
import type { Command } from "../../session/command.js";
import { assistant } from "../../session/references/assistant.js";
import { readKnown } from "../../session/references/known-names.js";
import type { Session } from "../../session/session.js";
import { formatCallMarkdown } from "./call/markdown.js";
import { listCallsOfPeriod, periodFlags } from "./call/period.js";
import { formatAnalyses, formatNotes, formatTranscriptLines } from "./call/plain.js";

const formats = ["csv", "jsonl", "md"] as const;
const forms: ExportForms<(typeof formats)[number]> = {
  byEnding: { "": "csv", ".csv": "csv", ".txt": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "md" },
  endings: ".csv, .jsonl or .md",
  hint: "to write a .csv file for spreadsheets, use --excel",
  list: "calls list --all",
};

const columns = [
  "id",
  "created_at",
  "direction",
  "status",
  "duration_seconds",
  "from",
  "to",
  "assistant_id",
  "assistant",
  "recording.available",
];
const detailColumns = ["transcript", "analyses", "notes"];

export const exportCalls: Command = {
  name: "export",
  summary: "Export the calls in a period as CSV, JSONL or Markdown",
  description:
    "With --details, voxctl reads each call (up to 1,000 per minute) with its transcript, analyses and notes. In CSV, a transcript is one cell with several lines. Calls that are deleted during the export are omitted and counted.",
  arguments: [{ name: "file", description: "File to write (default: standard output)", optional: true }],
  flags: [
    ...periodFlags,
    { name: "details", description: "Include transcript, analyses and notes" },
    {
      name: "format",
      value: "form",
      description: "csv, jsonl (all fields) or md (for reading)",
      choices: formats,
      strict: true,
      default: "from the file extension, or csv",
    },
    { name: "force", description: "Overwrite an existing file" },
  ],
  examples: [
    { command: "voxctl calls export anrufe.csv --from 30d" },
    { command: "voxctl calls export anrufe.csv --from 30d --excel", note: "For a spreadsheet" },
    { command: "voxctl calls export --from 7d --details --format jsonl > anrufe.jsonl" },
    { command: "voxctl calls export anrufe.md --from 1d --assistant Empfang --details", note: "For reading" },
  ],
  writesCsv: true,
  async run(session, input) {
    const { file, target, format } = await readExportOptions(session, input, forms);
    const hasDetails = input.on("details") === true;
    const { client } = await session.connect();
    const listed = await listCallsOfPeriod(session, client, input);
    const progress = { count: 0, gone: 0 };
    const calls = addDetails(session, client, listed, hasDetails, progress);
    const fields = hasDetails ? [...columns, ...detailColumns] : columns;
    const text =
      format === "jsonl"
        ? formatJsonLines(calls)
        : format === "csv"
          ? formatCsv(await addNames(session, client, calls), fields, session)
          : formatMarkdown(await addNames(session, client, calls));
    if (target === undefined) await printText(text, session);
    else {
      await writeTarget(target, text, session);
      if (isRegularFileTarget(target)) await session.output.item({ file, format, calls: progress.count });
    }
    session.notes.note(
      `Exported ${formatCount(progress.count, "call")}${target === undefined ? "" : ` to ${file}`}.`,
    );
    if (progress.gone > 0)
      session.notes.warn(
        `omitted ${formatCount(progress.gone, "call")} that no longer ${inflect(progress.gone, "exists", "exist")}`,
      );
  },
};

async function* addDetails(
  { signal }: Session,
  client: Client,
  calls: AsyncIterable<Fields>,
  hasDetails: boolean,
  progress: { count: number; gone: number },
): AsyncGenerator<Fields, void> {
  const { ClientError } = await import("../../../client/errors.js");
  for await (const call of calls) {
    const id = call["id"];
    if (!hasDetails || typeof id !== "string") {
      progress.count += 1;
      yield call;
      continue;
    }
    let data: unknown;
    try {
      ({ data } = await client.call("calls.get", { path: { call_id: id } }, { signal }));
    } catch (error) {
      // Only a request by ID proves that a call was deleted.
      if (!(error instanceof ClientError) || error.status !== 404) throw error;
      progress.gone += 1;
      continue;
    }
    progress.count += 1;
    yield isFields(data) ? data : call;
  }
}

async function addNames(
  session: Session,
  client: Client,
  calls: AsyncIterable<Fields>,
): Promise<AsyncGenerator<Fields, void>> {
  const known = await readKnown(session, client, assistant);
  return named();
  async function* named(): AsyncGenerator<Fields, void> {
    for await (const call of calls) {
      const id = call["assistant_id"];
      yield {
        ...call,
        assistant: typeof id === "string" ? (known?.get(id)?.name ?? "") : "",
        transcript: formatTranscriptLines(call).join("\n"),
        analyses: formatAnalyses(call).join("\n"),
        notes: formatNotes(call).join("\n"),
      };
    }
  }
}

async function* formatMarkdown(calls: AsyncIterable<Fields>): AsyncGenerator<string, void> {
  for await (const call of calls) yield formatCallMarkdown(call);
}
