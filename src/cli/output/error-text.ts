import type { ErrorReport } from "../errors/exit-codes.js";
import type { Notes } from "../terminal/notes.js";
import { joined, type Painted, styled, type Text } from "../terminal/paint.js";

export function formatReport(
  { code, message, details, status, exit, outcome, hint }: ErrorReport,
  { paint }: Pick<Notes, "paint">,
): Painted {
  const statusText = status === null ? "" : paint.dim(` (${status} ${code})`);
  // If a single detail repeats the message, print only the detail, after the flag that caused it.
  const complaint = details[0]?.message ?? "";
  const isRepeated = message.endsWith(complaint) || message.startsWith(`${complaint}; `);
  const [only] = details.length === 1 && isRepeated ? details : [];
  const summary =
    only?.flag !== undefined && !message.startsWith(only.flag)
      ? `${only.flag}: ${only.message}`
      : isFirstDetail(details, message)
        ? `${details.length} fields were rejected`
        : message;
  const lines: Text[] = [styled`${paint.red("error:")} ${summary}${statusText}`];
  // Omit the details if the message already lists all missing fields.
  const isCovered = details.every(
    (detail) => detail.message === "is required" && summary.includes(getFieldName(detail)),
  );
  const complaints = only || isCovered ? [] : details;
  for (const complaint of complaints) {
    const field = hasLocation(complaint) ? "" : getFieldName(complaint);
    lines.push(styled`  ${field ? `${field}: ` : ""}${complaint.message}`);
  }
  if (exit === 75 && outcome !== "done")
    lines.push(paint.yellow("outcome unknown: the change may have been made"));
  if (hint !== null) lines.push(paint.dim(`hint: ${hint}`));
  return joined(lines, "\n");
}

function hasLocation({ path: [file], message }: ErrorReport["details"][number]): boolean {
  return (
    typeof file === "string" &&
    /^(?:, line \d+)?: /.test(message.slice(file.length)) &&
    message.startsWith(file)
  );
}

function isFirstDetail(details: ErrorReport["details"], message: string): boolean {
  const [first] = details;
  return first !== undefined && details.length > 1 && message === `${first.path.join(".")} ${first.message}`;
}

function getFieldName({ path, flag }: ErrorReport["details"][number]): string {
  return flag ?? path.join(".");
}
