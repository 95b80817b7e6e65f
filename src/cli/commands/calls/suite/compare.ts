import { counted } from "../../../../base/text.js";
import { CliError, exits, usageError } from "../../../errors/errors.js";
import type { Session } from "../../../session/session.js";
import { readText } from "./history.js";
import { differencesOf, parseRecord } from "./record.js";

/** `voxctl calls test compare A B` @throws CliError: differences (10); usage error (2) for records of other scenarios */
export async function compareRecords(session: Session, files: readonly string[]): Promise<void> {
  const [one = "", other = ""] = files;
  const before = parseRecord(await readText(one, "compare", session), one);
  const after = parseRecord(await readText(other, "compare", session), other);
  const names = new Set(before.scenarios.map(({ scenario }) => scenario));
  if (!after.scenarios.some(({ scenario }) => names.has(scenario)))
    throw usageError(`${one} and ${other} have no scenario in common, so there is nothing to compare`);
  const found = differencesOf(before, after);
  const rows = found.map(({ isWarning, ...row }) => ({ ...row, kind: isWarning ? "warning" : "difference" }));
  await session.output.list(rows, {
    columns: [
      { header: "SCENARIO", value: "scenario" },
      { header: "FIELD", value: "field", keep: true },
      { header: "BEFORE", value: "before" },
      { header: "AFTER", value: "after" },
      { header: "KIND", value: "kind", keep: true },
    ],
    fields: ["scenario", "field", "before", "after", "kind"],
    empty: "no differences",
  });
  const count = found.filter(({ isWarning }) => !isWarning).length;
  if (count === 0) return;
  throw new CliError({
    exit: exits.differences,
    code: "calls_differ",
    message: `${counted(count, "difference")} between ${one} and ${other}`,
  });
}
