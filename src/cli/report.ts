import { ClientError } from "../client/errors.js";
import { type ErrorReport, FlaggedError } from "./errors/exit-codes.js";
import { formatReport } from "./output/error-text.js";
import type { Notes } from "./terminal/notes.js";

export async function writeReport(
  report: ErrorReport,
  error: unknown,
  notes: Notes,
  style: { json: boolean; debug: boolean },
): Promise<void> {
  if (style.json) notes.json({ error: report });
  else notes.note(formatReport(report, notes));
  if (style.debug) notes.debug(await formatDebug(error));
}

async function formatDebug(error: unknown): Promise<string> {
  if (error instanceof FlaggedError) return formatDebug(error.cause);
  if (error instanceof ClientError)
    return error.rule === undefined ? `code ${error.code}` : `rule ${await explainRule(error.rule)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function explainRule(rule: string): Promise<string> {
  const { catalog } = await import("../emulator/rules/catalog.js");
  const text = catalog.get(rule)?.text;
  return text === undefined ? rule : `${rule}: ${text}`;
}
