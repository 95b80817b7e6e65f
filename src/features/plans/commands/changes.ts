import { createPatch } from "diff";
import { stringifyExactJson } from "../../../base/exact-json.js";
import { excerptDifference } from "../../../base/excerpts.js";
import { isFields, mapInner } from "../../../base/fields.js";
import { maskSecrets } from "../../../base/secret-fields.js";
import { isE164 } from "../../../contract/primitives.js";
import type { PlanStep, UndoClass } from "../../../write/plan/format.js";
import type { ShownStep } from "../../../write/plan/sorted.js";
import { formatResources, toSingular } from "./resource-nouns.js";

/** Mark of a step. `*` marks a call or the erasure of a recording: neither has field values to compare. */
type StepMark = "+" | "~" | "-" | ">" | "*";

/** Maximum number of characters in a string that is shown on one line. Other strings are shown as a diff. */
const longText = 80;
const contextLines = 2;

export function getStepMark({ step }: ShownStep): StepMark {
  if (step.op === "calls.create" || step.op === "calls.recording.delete") return "*";
  if (step.reindex) return ">";
  if (step.op.endsWith(".create")) return "+";
  return step.op.endsWith(".delete") ? "-" : "~";
}

const verbs: Readonly<Record<StepMark, string>> = {
  "+": "create",
  "~": "update",
  "-": "delete",
  ">": "index",
  "*": "make",
};

/** Formats a step, such as "update contact Anna Weiß (step 2, 65f1…4567)". */
export function formatStepAction(shown: ShownStep, options: { unmasked: boolean }): string {
  const name = formatResourceName(shown, options);
  if (shown.step.op === "calls.recording.delete") return name;
  return `${verbs[getStepMark(shown)]} ${toSingular(shown.resource)} ${name}`;
}

/**
 * Formats a step without its action, such as "Anna Weiß (step 2, 65f1…4567)". Adds a note if the step can't
 * be undone completely.
 * @param options see `formatChangedFields`
 */
export function formatStepName(shown: ShownStep, options: { unmasked: boolean }): string {
  const { members, step } = shown;
  const deleted = members === undefined ? "" : ` with ${formatResources(members.resource, members.count)}`;
  return `${formatResourceName(shown, options)}${deleted}${undoNotes[step.undo] ?? ""}`;
}

const undoNotes: Readonly<Partial<Record<UndoClass, string>>> = {
  partial: ": can only be undone in part",
  none: ": can't be undone",
};

function formatResourceName({ label, id, step }: ShownStep, { unmasked }: { unmasked: boolean }): string {
  const number = `step ${step.step}`;
  const short = id !== undefined && id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;
  // Name the action, because the mark `*` may also mean a call, and the ID is that of the call.
  if (step.op === "calls.recording.delete") return `erase recording of call ${short} (${number})`;
  if (label === "") return `${short ?? ""} (${number})`.trim();
  return `${unmasked ? label : maskPartly(label)} (${[number, short].filter((part) => part !== undefined).join(", ")})`;
}

/** Fields that, with the name, show which resource a step deletes. */
const identifyingFields = ["group_id", "phone_numbers", "emails"];

/**
 * Formats a step's changed fields, one line each, without indentation.
 * @param options.unmasked whether to show complete phone numbers and emails; secrets are always masked
 */
export function formatChangedFields(shown: ShownStep, { unmasked }: { unmasked: boolean }): string[] {
  const { step } = shown;
  const before: Readonly<Record<string, unknown>> = { ...step.before, ...step.if?.fields };
  if (step.op === "licenses.upsert") return formatLicenses(step);
  const isUpdate = getStepMark(shown) === "~";
  const mask = unmasked ? (value: unknown) => value : maskPartly;
  if (step.op.endsWith(".delete"))
    return identifyingFields.flatMap((field) => {
      const value = before[field];
      const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
      return isEmpty ? [] : [`${field}: ${formatInline(mask(value))}`];
    });
  return Object.entries(step.body ?? {}).flatMap(([field, value]) => {
    if (isSecret(value)) return [`${field}: (changed)${formatSource(value)}`];
    const after = maskField(field, value);
    return isUpdate && Object.hasOwn(before, field)
      ? formatDifference(field, maskField(field, before[field]), after, mask)
      : [`${field}: ${formatInline(mask(after))}`];
  });
}

/** Formats a step and its changed fields as indented lines. See `formatChangedFields`. */
export function formatStep(shown: ShownStep, options: { unmasked: boolean }): string[] {
  const fields = formatChangedFields(shown, options).map((line) => `      ${line}`);
  return [`  ${getStepMark(shown)} ${formatStepName(shown, options)}`, ...fields];
}

export function hasMaskedValues(lines: readonly string[], shown: ShownStep): boolean {
  return lines.join("\n") !== formatStep(shown, { unmasked: true }).join("\n");
}

function formatLicenses({ body, before }: PlanStep): string[] {
  const former = Object(before?.["licenses"]);
  const licenses: readonly unknown[] = Array.isArray(body?.["licenses"]) ? body["licenses"] : [];
  return licenses.map((license) => {
    const { externalLicenseId: id, ...fields } = Object(license);
    const was = former[String(id)];
    const parts = Object.entries(fields).map(([field, value]) =>
      was === null
        ? `${field} ${formatInline(value)}`
        : `${field} ${formatInline(was?.[field] ?? null)} → ${formatInline(value)}`,
    );
    return `${was === null ? "+ " : ""}${[`license ${String(id)}`, ...parts].join(", ")}`;
  });
}

/**
 * Formats the difference between two values of a field, in lines without indentation.
 * @param mask masks a value. Called after the comparison of lists, because different entries can have equal
 * masked values.
 */
export function formatDifference(
  field: string,
  before: unknown,
  after: unknown,
  mask: (value: unknown) => unknown = (value) => value,
): string[] {
  const toMasked = (value: unknown) => toJson(mask(value));
  if (isNames(before) && isNames(after)) {
    const removed = before.filter((entry) => !after.includes(entry)).map(toMasked);
    const added = after.filter((entry) => !before.includes(entry)).map(toMasked);
    const entries = [...removed.map((text) => `-${text}`), ...added.map((text) => `+${text}`)];
    const note = removed.some((text) => added.includes(text)) ? differOnceMasked : "";
    if (entries.length > 0) return [`${field}: ${entries.join(" ")}${note}`];
  }
  const lines = formatReplacement(field, mask(before), mask(after));
  if (toMasked(before) !== toMasked(after) || toJson(before) === toJson(after)) return lines;
  return lines.map((line) => `${line}${differOnceMasked}`);
}

/** Note for values that differ but look equal because they are masked. */
const differOnceMasked = " (the masked characters differ)";

function formatReplacement(field: string, before: unknown, after: unknown): string[] {
  if (isLong(before) || isLong(after))
    return [`${field}:`, ...formatTextDifference(toText(before), toText(after))];
  const [oldText, newText] = excerptDifference(toJson(before), toJson(after), 2 * longText);
  return [`${field}: ${oldText} → ${newText}`];
}

function formatTextDifference(before: string, after: string): string[] {
  const patch = createPatch("text", before, after, "", "", { context: contextLines });
  return patch
    .split("\n")
    .slice(4)
    .filter((line) => line !== "" && !line.startsWith("\\"));
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > longText || value.includes("\n"));
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function toText(value: unknown): string {
  return typeof value === "string"
    ? value
    : value === undefined || value === null
      ? ""
      : stringifyExactJson(value);
}

function formatInline(value: unknown): string {
  const text = toJson(value);
  return text.length > 2 * longText ? `${text.slice(0, 2 * longText - 1)}…` : text;
}

function toJson(value: unknown): string {
  return formatReference(value) ?? (value === undefined ? "nothing" : stringifyExactJson(value));
}

function formatReference(value: unknown): string | undefined {
  if (!isFields(value) || typeof value["$ref"] !== "number") return undefined;
  return `(${typeof value["field"] === "string" ? value["field"] : "ID"} from step ${value["$ref"]})`;
}

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("$secret" in value || "$text" in value);
}

/** Returns an empty string for a secret from a rehearsal, because such a secret has no source. */
function formatSource(value: unknown): string {
  const sources = formatSources(value);
  return /^(?:env|file|keychain):/.test(sources) ? ` from ${sources}` : "";
}

/** Formats the sources of the secrets in a value, such as `env:NAME, env:OTHER`. */
export function formatSources(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  if ("$secret" in value) return String(value.$secret);
  return [...new Set(Object.values(value).map(formatSources))].filter((text) => text !== "").join(", ");
}

export function maskField(name: string, value: unknown): unknown {
  const [masked] = Object.values(Object(maskHeaderValues(maskSecrets({ [name]: value }))));
  return masked;
}

/** Header values of webhooks and tools may be credentials. */
export function maskHeaderValues(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === "headers" && typeof inner === "object" && inner !== null
        ? [name, Object.fromEntries(Object.keys(inner).map((header) => [header, "(masked)"]))]
        : [name, maskHeaderValues(inner)],
    ),
  );
}

const email = /^[^\s@]+@[^\s@]+$/;

/** Masks the middle of phone numbers and emails, so that readers can distinguish them but can't use them. */
export function maskPartly(value: unknown): unknown {
  if (typeof value === "string") {
    if (isE164(value)) return `${value.slice(0, 5)}…${value.slice(-2)}`;
    if (email.test(value)) return `${value.slice(0, 1)}…${value.slice(value.indexOf("@"))}`;
    return value;
  }
  return mapInner(value, maskPartly);
}
