import * as z from "zod";
import type { SourceRow } from "../sources/types.js";

export interface PlannedLicense {
  /** Where it stands in the plan, for messages: `msps.0.licenses.3`, `line 7`. */
  at: string;
  id: string;
  product: string | undefined;
}

export interface PlannedCustomer {
  at: string;
  externalId: string;
  name: string;
  license: string;
}

export interface PlannedMsp {
  at: string;
  externalId: string;
  name: string;
  /** The one it is created with. */
  license: PlannedLicense;
  /** Further ones, for its customers. */
  licenses: PlannedLicense[];
  customers: PlannedCustomer[];
}

export interface ProvisionPlan {
  msps: PlannedMsp[];
}

export interface PlanProblem {
  at: string;
  message: string;
}

export type PlanResult = { plan: ProvisionPlan; problems: [] } | { plan: undefined; problems: PlanProblem[] };

// D-v2-org's form of an id is a guess: the service judges it.
const Text = z.string("must be text; put quotes around a number").trim().min(1, "must not be empty");
const License = z.union(
  [Text, z.strictObject({ id: Text, product: Text.optional() })],
  "must be a license id in quotes, or id and product",
);
const Plan = z.strictObject({
  msps: z
    .array(
      z.strictObject({
        external_id: Text,
        name: Text,
        license: License,
        licenses: z.array(License, "must be a list of licenses").default([]),
        customers: z
          .array(
            z.strictObject({ external_id: Text, name: Text, license: Text }),
            "must be a list of customers",
          )
          .default([]),
      }),
      "must be a list of MSPs",
    )
    .min(1, "must name an MSP"),
});

function licenseAt(at: string, license: z.output<typeof License>): PlannedLicense {
  return typeof license === "string"
    ? { at, id: license, product: undefined }
    : { at, id: license.id, product: license.product };
}

/** The plan in a parsed YAML or JSON document, checked whole, or everything that is wrong with it. */
export function planOfDocument(document: unknown): PlanResult {
  const parsed = Plan.safeParse(document);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => ({
      at: issue.path.join(".") || "the plan",
      message: issue.code === "unrecognized_keys" ? `knows no ${issue.keys.join(", ")}` : issue.message,
    }));
    return { plan: undefined, problems };
  }
  const msps = parsed.data.msps.map((msp, index) => {
    const at = `msps.${index}`;
    return {
      at,
      externalId: msp.external_id,
      name: msp.name,
      license: licenseAt(`${at}.license`, msp.license),
      licenses: msp.licenses.map((license, number) => licenseAt(`${at}.licenses.${number}`, license)),
      customers: msp.customers.map((customer, number) => ({
        at: `${at}.customers.${number}`,
        externalId: customer.external_id,
        name: customer.name,
        license: customer.license,
      })),
    };
  });
  return checked({ msps }, []);
}

const columns = ["type", "external_id", "name", "parent", "license", "product"] as const;
type Cells = Record<(typeof columns)[number], string>;
const wanted: Readonly<Record<string, readonly (keyof Cells)[]>> = {
  msp: ["external_id", "name", "license"],
  license: ["parent", "license"],
  customer: ["external_id", "name", "parent", "license"],
};

/** The plan in the rows of a table: an MSP, a license or a customer each, in any order. */
export async function planOfRows(rows: AsyncIterable<SourceRow>): Promise<PlanResult> {
  const problems: PlanProblem[] = [];
  const msps: PlannedMsp[] = [];
  const below: { at: string; cells: Cells }[] = [];
  for await (const row of rows) {
    const at = `line ${row.line}`;
    const unknown = row.names.filter((name) => !columns.some((column) => column === name));
    if (unknown.length > 0) {
      return {
        plan: undefined,
        problems: [
          {
            at: "the header",
            message: `knows no column ${unknown.join(", ")}; it has ${columns.join(", ")}`,
          },
        ],
      };
    }
    const cells = cellsOf(row);
    const missing = wanted[cells.type]?.filter((column) => cells[column] === "");
    if (row.problem !== undefined) problems.push({ at, message: row.problem });
    else if (!missing) problems.push({ at, message: "type must be msp, license or customer" });
    else if (missing.length > 0) problems.push({ at, message: `${missing.join(", ")} must not be empty` });
    else if (cells.type !== "msp") below.push({ at, cells });
    else {
      const license = { at, id: cells.license, product: cells.product || undefined };
      msps.push({
        at,
        externalId: cells.external_id,
        name: cells.name,
        license,
        licenses: [],
        customers: [],
      });
    }
  }
  for (const { at, cells } of below) {
    const msp = msps.find(({ externalId }) => externalId === cells.parent);
    if (!msp) problems.push({ at, message: `the plan has no MSP ${cells.parent}` });
    else if (cells.type === "license") {
      msp.licenses.push({ at, id: cells.license, product: cells.product || undefined });
    } else {
      msp.customers.push({ at, externalId: cells.external_id, name: cells.name, license: cells.license });
    }
  }
  if (msps.length === 0 && problems.length === 0) {
    problems.push({ at: "the plan", message: "must name an MSP" });
  }
  return checked({ msps }, problems);
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
  };
}

/** v2.duplicate, v2.license.states: every external id once, every license once and held once. */
function checked(plan: ProvisionPlan, earlier: PlanProblem[]): PlanResult {
  const problems = [...earlier];
  const once = (kind: string) => {
    const seen = new Map<string, string>();
    return (id: string, at: string, what: string) => {
      const first = seen.get(id);
      if (first === undefined) seen.set(id, at);
      else problems.push({ at, message: `the ${kind} ${id} ${what} already in ${first}` });
    };
  };
  const organization = once("external id");
  const license = once("license");
  const holder = once("license");
  for (const msp of plan.msps) {
    organization(msp.externalId, msp.at, "stands");
    for (const owned of [msp.license, ...msp.licenses]) license(owned.id, owned.at, "stands");
    holder(msp.license.id, msp.at, "is given away");
    for (const customer of msp.customers) {
      organization(customer.externalId, customer.at, "stands");
      holder(customer.license, customer.at, "is given away");
    }
  }
  for (const msp of plan.msps) {
    for (const customer of msp.customers) {
      const owner = plan.msps.find((other) =>
        [other.license, ...other.licenses].some(({ id }) => id === customer.license),
      );
      // v2.create.customer; one that the plan does not name may be there already.
      if (owner && owner !== msp) {
        problems.push({
          at: customer.at,
          message: `the license ${customer.license} is of another MSP, ${owner.externalId}`,
        });
      }
    }
  }
  return problems.length > 0 ? { plan: undefined, problems } : { plan, problems: [] };
}
