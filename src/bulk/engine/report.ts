import { type FileHandle, open } from "node:fs/promises";
import { fileTrouble } from "../../base/file-trouble.js";
import { BulkError } from "../errors.js";
import type { Item } from "../journal/item.js";
import { recordOf } from "../values.js";

/** What a person needs to find a row, see what is wrong and mend it. */
interface ReportLine extends Readonly<Record<string, unknown>> {
  readonly row: number;
  readonly line: number;
  readonly outcome: string;
}

/** Rows that were not imported: how many, and the first of them. */
export interface Rejected {
  count: number;
  first: ReportLine[];
}

export interface Report {
  /** Writes everything; answers what a person is to be shown of it. */
  write(items: Iterable<Item>): Promise<Rejected>;
  close(): Promise<void>;
}

const rejectedShown = 10;
const rejections = new Set(["invalid", "failed", "unknown"]);

/**
 * Opens the report's file at the start, so that a path that can't be written to is known before anything is sent.
 * @throws BulkError
 */
export async function openReport(path: string): Promise<Report> {
  const file: FileHandle = await open(path, "w", 0o600).catch((cause: unknown) => {
    const reason = fileTrouble(cause, "write");
    throw new BulkError("report_not_writable", `--report: ${path} can't be written: ${reason}`, undefined, {
      cause,
    });
  });
  return {
    async write(items) {
      let text = "";
      const rejected: Rejected = { count: 0, first: [] };
      for (const item of items) {
        const line = reportLine(item);
        if (rejections.has(line.outcome)) {
          rejected.count += 1;
          if (rejected.first.length < rejectedShown) rejected.first.push(line);
        }
        text += `${JSON.stringify(line)}\n`;
        if (text.length < 64 * 1024) continue;
        await file.writeFile(text);
        text = "";
      }
      await file.writeFile(text);
      return rejected;
    },
    close: () => file.close(),
  };
}

function reportLine(item: Item): ReportLine {
  const { number, line, state, target, body, before } = item;
  const outcome = state === "unknown" || state === "sent" ? "unknown" : item.outcome;
  const { contact, ...detail } = recordOf(item.detail);
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
