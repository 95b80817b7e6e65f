import { formatCount, inflect } from "../../base/text.js";
import type { PlanItem } from "../../features/provision/index.js";

const marks = {
  create: "+",
  exists: "=",
  differs: "~",
  conflicts: "!",
  failed: "!",
  change: ">",
  delete: "-",
  left: "!",
  gone: "=",
  extra: "?",
} as const;

export function formatSpecLines(items: readonly PlanItem[], { showEqual }: { showEqual: boolean }): string[] {
  const byMsp = new Map<string, PlanItem[]>();
  const unmanaged = items.filter(({ action, type: kind }) => action === "extra" && kind === "msp");
  for (const item of items) {
    if (unmanaged.includes(item)) continue;
    const own = byMsp.get(item.msp);
    if (own) own.push(item);
    else byMsp.set(item.msp, [item]);
  }
  const lines: string[] = [];
  const held = findHeldLicenses(items);
  const formatItemLine = (item: PlanItem, indent: string) =>
    `${indent}${marks[item.action]} ${formatItem(item, held)}`;
  for (const own of byMsp.values()) {
    const isShown = ({ action }: PlanItem) => action !== "exists" || showEqual;
    const below = own.filter(({ type: kind }) => kind !== "msp");
    const shown = below.filter(isShown);
    for (const msp of own.filter(({ type: kind }) => kind === "msp"))
      if (isShown(msp) || (shown.length > 0 && msp.action === "exists")) lines.push(formatItemLine(msp, ""));
    for (const action of ["create", "exists", "extra"] as const) {
      const names = shown
        .filter((item) => item.type === "license" && item.action === action)
        .map(({ externalId }) => externalId);
      if (names.length > 0) lines.push(`  ${marks[action]} ${formatLicenses(names, action)}`);
    }
    for (const item of shown) {
      const isGrouped = ["create", "exists", "extra"].includes(item.action);
      if (item.type !== "license" || !isGrouped) lines.push(formatItemLine(item, "  "));
    }
  }
  if (unmanaged.length > 0) {
    const names = unmanaged.map(({ externalId }) => externalId);
    lines.push(`? ${formatCount(names.length, "MSP")} not in the spec: ${abbreviateList(names)}`);
  }
  return lines;
}

function formatLicenses(names: readonly string[], action: PlanItem["action"]): string {
  return `${formatCount(names.length, "license")}${action === "extra" ? " not in the spec" : ""}: ${abbreviateList(names)}`;
}

function abbreviateList(names: readonly string[]): string {
  return (names.length > 6 ? [...names.slice(0, 3), "…", ...names.slice(-1)] : names).join(", ");
}

function findHeldLicenses(items: readonly PlanItem[]): ReadonlySet<unknown> {
  const licenses = new Map<string, string | null>();
  for (const { type, action, externalId, license, change } of items) {
    if (type === "license") continue;
    if (action === "delete") licenses.delete(externalId);
    else licenses.set(externalId, change?.license ?? license);
  }
  return new Set(licenses.values());
}

function formatItem(item: PlanItem, held: ReadonlySet<unknown>): string {
  const what = item.type === "license" ? `license ${item.externalId}` : item.externalId;
  const name = item.type === "license" || item.name === null ? "" : ` "${item.name}"`;
  const license = item.license === null ? "" : `, license ${item.license}`;
  if (item.action === "change") return `${what}: ${formatChange(item, held.has(item.externalId))}`;
  if (item.action === "delete") return formatOrganization(item);
  if (item.action === "extra") return `${what}${name}${license}: not in the spec`;
  if (item.differences.length === 0) return `${what}${name}${license}`;
  const remedies = item.remedies.filter((remedy) => remedy !== "");
  const remedy = remedies.length === 0 ? "" : ` (${remedies.join("; ")})`;
  // Add no colon for a license, because its differences, such as "is disabled", continue the sentence.
  return `${what}${item.type === "license" ? "" : ":"} ${item.differences.join("; ")}${remedy}`;
}

function formatChange({ change = {}, from = {} }: PlanItem, isHeld: boolean): string {
  return [
    ...(change.license === undefined
      ? []
      : [
          typeof from.license === "string"
            ? `reassign license ${from.license} → ${change.license}`
            : `assign license ${change.license}, which can't be undone`,
        ]),
    ...(change.product === undefined
      ? []
      : [
          typeof from.product === "string"
            ? `product ${from.product} → ${change.product}`
            : `product none → ${change.product}, which can't be undone`,
        ]),
    ...(change.status === undefined
      ? []
      : [
          change.status === "available"
            ? `disabled → ${isHeld ? "assigned" : "available"}`
            : `${from.status ?? "?"} → disabled${isHeld ? ", which blocks the organization" : ""}`,
        ]),
  ].join(", ");
}

export function formatOrganization({ externalId, name, status, license }: PlanItem): string {
  return [
    `${externalId}${name === null ? "" : ` "${name}"`}`,
    ...(status === undefined ? [] : [status]),
    license === null ? "no license" : `license ${license}`,
  ].join(", ");
}

export function formatTypeCounts(items: readonly PlanItem[]): string {
  const nouns = { msp: "MSP", license: "license", customer: "customer" } as const;
  const parts = (["msp", "license", "customer"] as const).flatMap((type) => {
    const count = items.filter((item) => item.type === type).length;
    return count === 0 ? [] : [formatCount(count, nouns[type])];
  });
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

export function formatReassigned(organizations: number): string {
  return `${inflect(organizations, "license", "licenses")} of ${formatCount(organizations, "organization")}`;
}

export function countChanges(items: readonly PlanItem[]): { update: string; reassign: string } {
  const changes = items.filter(({ action }) => action === "change");
  const reassigned = changes.filter(({ change }) => change?.license !== undefined);
  return {
    update: formatTypeCounts(changes.filter((item) => !reassigned.includes(item))),
    reassign: reassigned.length === 0 ? "nothing" : formatReassigned(reassigned.length),
  };
}

export function formatDeviations(items: readonly PlanItem[]): string {
  const filterByAction = (action: PlanItem["action"]) => items.filter((item) => item.action === action);
  const [differing, conflicts, failed, left] = (["differs", "conflicts", "failed", "left"] as const).map(
    filterByAction,
  );
  const [verb, were] = differing?.length === 1 ? ["differs", "was"] : ["differ", "were"];
  const sentence = (some: readonly PlanItem[] | undefined, text: (some: readonly PlanItem[]) => string) =>
    some === undefined || some.length === 0 ? [] : [`${formatTypeCounts(some)} ${text(some)}`];
  return [
    ...sentence(differing, () => `${verb} from the spec and ${were} not changed`),
    ...sentence(conflicts, () => "can't be created"),
    ...sentence(left, (some) =>
      some.length === 1 ? "is not in the spec and was kept" : "are not in the spec and were kept",
    ),
    ...sentence(failed, (some) => `${some.length === 1 ? "was" : "were"} rejected by the service`),
  ].join("; ");
}

export function formatSummary(items: readonly PlanItem[]): string {
  const countAction = (action: PlanItem["action"]) =>
    formatTypeCounts(items.filter((item) => item.action === action));
  const more = (name: string, count: string) => (count === "nothing" ? [] : [`${name}: ${count}`]);
  const { update, reassign } = countChanges(items);
  return [
    `To create: ${countAction("create")}`,
    ...more("unchanged", countAction("exists")),
    ...more("different", countAction("differs")),
    ...more("conflicting", countAction("conflicts")),
    ...more("to update", update),
    ...more("to reassign", reassign),
    ...more("to delete", countAction("delete")),
    ...more("not in the spec, kept", countAction("left")),
    ...more("not in the spec", countAction("extra")),
  ].join("; ");
}
