import { type FileHandle, open } from "node:fs/promises";
import { BulkError } from "../errors.js";
import type { Item } from "../journal/item.js";
import { recordOf } from "../values.js";

export interface Report {
  write(items: Iterable<Item>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the report's file at the start, so that a path that can't be written to is known before anything is sent.
 * @throws BulkError
 */
export async function openReport(path: string): Promise<Report> {
  const file: FileHandle = await open(path, "w", 0o600).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BulkError("report_not_writable", `--report: can't write ${path}: ${reason}`);
  });
  return {
    async write(items) {
      let text = "";
      for (const item of items) {
        text += `${JSON.stringify(reportLine(item))}\n`;
        if (text.length < 64 * 1024) continue;
        await file.writeFile(text);
        text = "";
      }
      await file.writeFile(text);
    },
    close: () => file.close(),
  };
}

/** What a person needs to find the row, see what is wrong and mend it. */
function reportLine(item: Item): Readonly<Record<string, unknown>> {
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
