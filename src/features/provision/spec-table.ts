import { garbledReason, isGarbled } from "../import/sources/garbled.js";
import type { Encoding, SourceRow } from "../import/sources/types.js";
import {
  checkSpec,
  type PlannedLicense,
  type PlannedMsp,
  type SpecProblem,
  type SpecResult,
} from "./organization-spec.js";

const columns = ["type", "external_id", "name", "parent", "license", "product", "status"] as const;
type Cells = Record<(typeof columns)[number], string>;
const statuses = ["", "available", "disabled"];
const requiredCells: Readonly<Record<string, readonly (keyof Cells)[]>> = {
  msp: ["external_id", "name", "license"],
  license: ["parent", "license"],
  customer: ["external_id", "name", "parent", "license"],
};
const unusedCells: Readonly<Record<string, { columns: readonly (keyof Cells)[]; text: string }>> = {
  msp: {
    columns: ["parent"],
    text: "must be empty in an MSP's row: only licenses and customers have a parent",
  },
  license: {
    columns: ["external_id", "name"],
    text: "must be empty in a license's row: a license has no name, and the license column contains its ID",
  },
  customer: {
    columns: ["product", "status"],
    text: "must be empty in a customer's row: set this value in the license's row",
  },
};

/** Each row is an MSP, a license or a customer, in any order. */
export async function parseSpecRows(rows: AsyncIterable<SourceRow>, encoding: Encoding): Promise<SpecResult> {
  const problems: SpecProblem[] = [];
  const msps: PlannedMsp[] = [];
  const below: { at: string; line: number; cells: Cells }[] = [];
  for await (const row of rows) {
    const { line } = row;
    const at = `line ${line}`;
    const unknown = row.names.filter((name) => !columns.some((column) => column === name));
    if (unknown.length > 0) {
      return {
        spec: undefined,
        problems: [
          {
            at: "header",
            message: `unknown columns: ${unknown.join(", ")}; the known columns are ${columns.join(", ")}`,
          },
        ],
      };
    }
    const repeated = columns.find((column) => row.names.indexOf(column) !== row.names.lastIndexOf(column));
    if (repeated !== undefined)
      return { spec: undefined, problems: [{ at: "header", message: `repeated column: ${repeated}` }] };
    const cells = cellsOf(row);
    const missing = requiredCells[cells.type]?.filter((column) => cells[column] === "");
    const unused = unusedCells[cells.type]?.columns.find((column) => cells[column] !== "");
    const [unreadable] = row.unreadable ?? [];
    const garbled = columns.find((column) => isGarbled(cells[column], encoding));
    if (row.problem !== undefined) problems.push({ at, message: row.problem });
    else if (unreadable)
      problems.push({ at, message: unreadableText(row.names[unreadable[0]], unreadable[1]) });
    else if (!missing) problems.push({ at, message: 'type must be "msp", "license" or "customer"' });
    else if (missing.length > 0) problems.push({ at, message: emptyText(cells, missing) });
    else if (unused !== undefined)
      problems.push({ at, message: `${unused} ${unusedCells[cells.type]?.text}` });
    else if (garbled !== undefined)
      problems.push({
        at,
        message: `${garbled} ${JSON.stringify(cells[garbled])} is garbled: ${garbledReason(encoding)}`,
      });
    else if (!statuses.includes(cells.status))
      problems.push({ at, message: 'status must be "available" or "disabled"' });
    else if (cells.type !== "msp") below.push({ at, line, cells });
    else {
      const license = licenseIn(at, line, cells);
      msps.push({
        at,
        line,
        externalId: cells.external_id,
        name: cells.name,
        license,
        licenses: [],
        customers: [],
      });
    }
  }
  for (const { at, line, cells } of below) {
    const msp = msps.find(({ externalId }) => externalId === cells.parent);
    if (!msp) problems.push({ at, message: `the spec has no MSP ${cells.parent}` });
    else if (cells.type === "license") {
      msp.licenses.push(licenseIn(at, line, cells));
    } else {
      msp.customers.push({
        at,
        line,
        externalId: cells.external_id,
        name: cells.name,
        license: cells.license,
      });
    }
  }
  if (msps.length === 0 && problems.length === 0) {
    problems.push({ at: "the spec", message: "must contain at least one MSP" });
  }
  return checkSpec({ msps }, problems);
}

/** The reason starts with the column's name if the row comes from a spreadsheet. */
function unreadableText(name = "", reason: string): string {
  return reason.startsWith(`${name} (`) ? reason : `${name} ${reason}`;
}

function licenseIn(at: string, line: number, { license, product, status }: Cells): PlannedLicense {
  const isDisabled = status === "disabled" ? { isDisabled: true } : {};
  return { at, line, id: license, product: product || undefined, ...isDisabled };
}

function emptyText(cells: Cells, missing: readonly string[]): string {
  const text = `${missing.join(", ")} must not be empty`;
  const misplaced = cells.type === "license" && cells.license === "" ? cells.external_id || cells.name : "";
  return misplaced === "" ? text : `${text}; move the license ID ${misplaced} to the license column`;
}

function cellsOf(row: SourceRow): Cells {
  const cell = (column: string) => String(row.values[row.names.indexOf(column)] ?? "").trim();
  return {
    type: cell("type"),
    external_id: cell("external_id"),
    name: cell("name"),
    parent: cell("parent"),
    license: cell("license"),
    product: cell("product"),
    status: cell("status"),
  };
}
