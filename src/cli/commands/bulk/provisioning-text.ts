import { counted } from "../../../base/text.js";
import type { MspItems, PlanItem } from "../../../bulk/provisioning/index.js";

const marks = { create: "+", exists: "=", differs: "~", conflicts: "!", failed: "!" } as const;

/** The plan as a tree of lines; licenses of one kind in one. */
export function planLines(msps: readonly MspItems[]): string[] {
  const lines: string[] = [];
  for (const { msp, licenses, customers } of msps) {
    lines.push(itemLine(msp, ""));
    for (const action of ["create", "exists"] as const) {
      const some = licenses.filter((license) => license.action === action);
      if (some.length === 0) continue;
      const names = some.map(({ externalId }) => externalId);
      const shown = names.length > 6 ? [...names.slice(0, 3), "…", ...names.slice(-1)] : names;
      lines.push(`  ${marks[action]} ${counted(some.length, "license")}: ${shown.join(", ")}`);
    }
    for (const license of licenses) {
      if (license.action === "differs" || license.action === "conflicts") lines.push(itemLine(license, "  "));
    }
    for (const customer of customers) lines.push(itemLine(customer, "  "));
  }
  return lines;
}

function itemLine(item: PlanItem, indent: string): string {
  const what = item.kind === "license" ? `license ${item.externalId}` : item.externalId;
  const name = item.kind === "license" || item.name === null ? "" : ` "${item.name}"`;
  const license = item.license === null ? "" : `, license ${item.license}`;
  const differences = item.differences.length > 0 ? `: ${item.differences.join("; ")}` : "";
  const text = differences === "" ? `${what}${name}${license}` : `${what}${differences}`;
  return `${indent}${marks[item.action]} ${text}`;
}

/** `3 MSPs, 60 licenses, 50 customers` */
export function kindsText(items: readonly PlanItem[]): string {
  const nouns = { msp: "MSP", license: "license", customer: "customer" } as const;
  const parts = (["msp", "license", "customer"] as const).flatMap((kind) => {
    const count = items.filter((item) => item.kind === kind).length;
    return count === 0 ? [] : [counted(count, nouns[kind])];
  });
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

/** The differences from the plan, the uncreatable parts and the service's refusals, in a sentence. */
export function unlikeText(items: readonly PlanItem[]): string {
  const differing = items.filter((item) => item.action === "differs");
  const conflicts = items.filter((item) => item.action === "conflicts");
  const failed = items.filter((item) => item.action === "failed");
  const [verb, were, they] =
    differing.length === 1 ? ["differs", "was", "it is"] : ["differ", "were", "they are"];
  return [
    ...(differing.length > 0
      ? [`${kindsText(differing)} ${verb} from the plan and ${were} left as ${they}`]
      : []),
    ...(conflicts.length > 0 ? [`${kindsText(conflicts)} can't be created`] : []),
    ...(failed.length > 0
      ? [`${kindsText(failed)} ${failed.length === 1 ? "was" : "were"} refused by the service`]
      : []),
  ].join("; ");
}

/** `to create: 3 MSPs, 60 licenses; there already: nothing; different: nothing` */
export function summaryText(items: readonly PlanItem[]): string {
  const of = (action: PlanItem["action"]) => kindsText(items.filter((item) => item.action === action));
  const impossible = of("conflicts");
  return [
    `to create: ${of("create")}; there already: ${of("exists")}; different: ${of("differs")}`,
    ...(impossible === "nothing" ? [] : [`impossible: ${impossible}`]),
  ].join("; ");
}
