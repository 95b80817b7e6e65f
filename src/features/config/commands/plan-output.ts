import { quoteWord } from "../../../base/shell-words.js";
import { formatCount, inflect } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import { buckets } from "../../../contract/limits.js";
import type { PlanStep } from "../../../write/plan/format.js";
import { formatDifference, formatSources, maskField } from "../../plans/commands/changes.js";
import type { Verdict } from "../compare.js";
import type { Decision, ObjectChange, SecretChange } from "../decision.js";
import type { TargetContext } from "./target-context.js";

export async function toPlanJson(
  { target, lockFile, folder }: TargetContext,
  decision: Decision,
  steps: readonly PlanStep[],
  plan: string | null,
) {
  const { shownLive } = await import("../index.js");
  const {
    changes,
    deletions,
    moves,
    candidates,
    drift,
    conflicts,
    gone,
    needsAdopt,
    ambiguous,
    unclear,
    unmanaged,
    thresholds,
    refusals,
  } = decision;
  const keysOf = (action: ObjectChange["action"]) =>
    changes
      .filter((change) => change.action === action)
      .map(({ object }) => object.key)
      .sort();
  return {
    target,
    lock: lockFile.shown,
    objects: decision.declared.objects.size,
    create: keysOf("create"),
    update: changes
      .filter(({ action }) => action === "update")
      .map((change) => ({
        key: change.object.key,
        fields: [...change.sends, ...change.secrets.filter(({ isSent }) => isSent).map(({ field }) => field)],
        changes: listValues(change, (field) => shownLive(decision, change, field)),
      })),
    delete: deletions.map(({ line }) => line.key),
    replace: keysOf("replace"),
    moved: moves,
    prune_candidates: candidates.map(({ key }) => key),
    drift,
    conflicts,
    gone,
    needs_adopt: needsAdopt,
    ambiguous,
    unclear_moves: unclear,
    unmanaged,
    writes: steps.length,
    seconds: estimateSeconds(steps.length),
    thresholds,
    refused: [...new Set(refusals.map(({ reason }) => reason))],
    plan,
    project: folder.project.project,
  };
}

/** Omits fields that use environment values. */
function listValues({ object, sends }: ObjectChange, liveOf: (field: string) => unknown) {
  return [...sends]
    .filter((field) => !object.sealed.has(field))
    .map((field) => ({
      field,
      old: maskValue(field, liveOf(field)),
      new: maskValue(field, object.fields.get(field) ?? (field === "group" ? object.group : undefined)),
    }));
}

function estimateSeconds(writes: number): number {
  const { limit, windowSeconds } = buckets.write;
  return writes <= limit ? 0 : Math.ceil((writes / limit) * windowSeconds);
}

export async function formatPlan(
  targetContext: TargetContext,
  decision: Decision,
  steps: readonly PlanStep[],
  lockLines: number,
): Promise<string[]> {
  const { shownLive } = await import("../index.js");
  const {
    changes,
    deletions,
    candidates,
    moves,
    gone,
    needsAdopt,
    ambiguous,
    unclear,
    unmanaged,
    drift,
    forgotten,
  } = decision;
  const { target, baseUrl, connection } = targetContext;
  const lock = lockLines === 0 ? "" : `, ${formatCount(lockLines, "change")} in the lock file`;
  const lines = [
    `Target ${target}: profile ${connection.profile.name} (${baseUrl}), ${formatCount(decision.declared.objects.size, "resource")}${lock}`,
  ];
  for (const { from, to } of moves) lines.push(`  moved ${from} → ${to}`);
  for (const change of changes.toSorted((left, right) => (left.object.key < right.object.key ? -1 : 1)))
    lines.push(...formatChange(change, (field) => shownLive(decision, change, field)));
  for (const { line } of deletions) lines.push(`  - ${line.key}`);
  for (const key of gone) lines.push(`  ! ${key}  was deleted`);
  for (const { key, id } of needsAdopt)
    lines.push(`  ! ${key}  exists as ${id} but is not bound; to bind it, use --adopt`);
  for (const { key, ids } of ambiguous)
    lines.push(`  ! ${key}  matches several resources: ${ids.join(", ")}`);
  for (const key of unclear)
    lines.push(`  ! ${key}  might be a new resource or an existing one whose file was moved`);
  for (const { key } of candidates)
    lines.push(`  - ${key}  will be deleted only with ${formatPruneFlag(decision, key)}`);
  for (const key of forgotten)
    lines.push(`  lock file: will remove ${key}, which has neither a file nor a resource`);
  const notManaged = Object.entries(unmanaged).map(([type, count]) => `${count} ${type}`);
  if (notManaged.length > 0) lines.push(`  not managed: ${notManaged.join(", ")}`);
  const isUnknown = ({ state, isSent }: SecretChange) => state === "unknown" && !isSent;
  const unknown = changes.flatMap(({ secrets }) => secrets.filter(isUnknown));
  if (unknown.length > 0) {
    const keys = changes.filter(({ secrets }) => secrets.some(isUnknown)).map(({ object }) => object.key);
    const confirm = [
      "config secrets confirm --target",
      ...[target, ...keys].map((word) => quoteWord(word)),
    ].join(" ");
    // In a rehearsal, fingerprints can't be compared, because the command doesn't get the real API key.
    const isRehearsed = targetContext.session.io.env.VOXCTL_REHEARSAL !== undefined;
    const them = inflect(unknown.length, "it", "them");
    lines.push(
      `can't detect changes to ${formatCount(unknown.length, "secret")}${isRehearsed ? " in a rehearsal" : ""} (${formatUnknownReasons(unknown)}); to send ${them}, use --rewrite-secrets${isRehearsed ? "" : `; if the service already has ${them}, run \`voxctl ${confirm}\``}`,
    );
  }
  lines.push(formatSummary(decision, steps, drift.length, lockLines));
  return lines;
}

function formatUnknownReasons(secrets: readonly SecretChange[]): string {
  const all = secrets.map(({ source, reason }) =>
    source !== null && reason?.startsWith(source.from) !== true
      ? `${source.from}: ${reason ?? "unknown"}`
      : (reason ?? ""),
  );
  const [first, second, third, ...furtherReasons] = new Set(all);
  const shownReasons = [first, second, third].filter((reason) => reason !== undefined);
  return `${shownReasons.join("; ")}${furtherReasons.length > 0 ? `; and ${furtherReasons.length} more` : ""}`;
}

/** Without a value, `--prune` excludes assistants and adopted resources. */
function formatPruneFlag({ lock }: Decision, key: string): string {
  const names = [
    ...(key.startsWith("assistants/") ? ["assistants"] : []),
    ...(lock.lines.get(key)?.made === false ? ["adopted"] : []),
  ];
  return names.length === 0 ? "--prune" : `--prune=${names.join(",")}`;
}

function formatSummary(
  { changes, deletions, candidates, needsAdopt, gone }: Decision,
  steps: readonly PlanStep[],
  drifted: number,
  lockLines: number,
): string {
  const count = (action: ObjectChange["action"]) =>
    changes.filter((change) => change.action === action).length;
  const parts = [
    [count("create"), "to create"],
    [count("update"), "to update"],
    [count("replace"), "to replace"],
    [deletions.length, "to delete"],
    [candidates.length, "to delete with --prune"],
    [needsAdopt.length, "to bind with --adopt"],
    [gone.length, "already deleted"],
    [drifted, "drifted"],
  ] as const;
  const counts = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  const seconds = estimateSeconds(steps.length);
  const cost = `${formatCount(steps.length, "write")}${seconds > 0 ? `, ${seconds} s` : ""}`;
  const final = steps.filter(({ undo }) => undo === "none" || undo === "partial");
  const deleted = final.filter(({ op }) => op.endsWith(".delete")).length;
  const why = [
    ...(final.length > deleted ? [formatCount(final.length - deleted, "secret")] : []),
    ...(deleted > 0 ? [formatCount(deleted, "deletion")] : []),
  ].join(", ");
  const undo = final.length === 0 ? "" : ` · undo: all but ${final.length} (${why})`;
  if (counts.length === 0)
    return lockLines === 0 ? "No changes." : "No changes to the organization; the lock file will be updated.";
  return `${counts.join(", ")} · ${cost}${undo}`;
}

const marks = { create: "+", update: "~", replace: "-/+", none: "!" } as const;

function formatChange(change: ObjectChange, liveOf: (field: string) => unknown): string[] {
  const { object, action, verdicts, isAdopted, isRecreated, sends } = change;
  const notes = [
    isAdopted ? "adopted" : "",
    isRecreated ? "was deleted" : "",
    action === "replace" ? "with a new ID" : "",
    object.spec.resource === "knowledge" && action === "update" && !sends.has("text")
      ? "will be indexed again"
      : "",
  ].filter((note) => note !== "");
  const head = `${object.key}${notes.length === 0 ? "" : `  ${notes.join(", ")}`}`;
  const fields = [...verdicts].flatMap(([field, verdict]) => {
    const sealed = object.sealed.get(field);
    if (sealed !== undefined && verdict !== "no_longer_managed")
      return formatSealed(field, verdict, sealed, sends.has(field));
    const live = maskValue(field, liveOf(field));
    const file = maskValue(field, object.fields.get(field) ?? (field === "group" ? object.group : undefined));
    if (verdict === "no_longer_managed") return [`no longer managed: ${field}`];
    if (verdict === "drift" || verdict === "conflict") {
      const isSent = sends.has(field);
      const word =
        verdict === "drift"
          ? `drift: changed in the organization since the last apply${isSent ? "; will be overwritten" : ""}`
          : `conflict: changed in the file and in the organization${isSent ? "; the file's value will be sent" : ""}`;
      // Show the change that `apply` will make. If the field will not be sent, show the drift from the file.
      const [from, to] = isSent ? [live, file] : [file, live];
      const lines = formatDifference(field, from, to).filter((line) => line !== `${field}:`);
      return [`${field}: ${word}`, ...lines.map((line) => `  ${line}`)];
    }
    if (!sends.has(field)) return [];
    // The field refers to a resource that voxctl will create again, so the ID changes.
    if (verdict === "in_sync") return [`${field}: new ID`];
    const [first = "", ...furtherLines] = formatDifference(field, live, file);
    return [`${first}${verdict === "newly_different" ? "  (newly managed)" : ""}`, ...furtherLines];
  });
  // Omit secrets whose state is unknown: `formatPlan` lists all of them in one line.
  const secrets = change.secrets
    .filter(({ state, isSent }) => state !== "unchanged" && (isSent || state !== "unknown"))
    .map(formatSecret);
  const sealed = [...object.sealed].map(([field, value]) => `${field}: (new) from ${formatSources(value)}`);
  const inner = action === "create" ? [...sealed, ...secrets] : [...fields, ...secrets];
  if (action === "none" && inner.length === 0) return [];
  return [`  ${marks[action]} ${head}`, ...inner.map((line) => `      ${line}`)];
}

function formatSealed(field: string, verdict: Verdict, sealed: unknown, isSent: boolean): string[] {
  const changed = `(changed) from ${formatSources(sealed)}`;
  if (verdict === "drift")
    return [
      `${field}: drift: changed in the organization since the last apply${isSent ? `; ${changed}` : ""}`,
    ];
  if (verdict === "conflict")
    return [
      `${field}: conflict: changed in the source and in the organization${isSent ? `; ${changed}` : ""}`,
    ];
  return isSent ? [`${field}: ${changed}${verdict === "newly_different" ? "  (newly managed)" : ""}`] : [];
}

function formatSecret({ field, source, state, reason }: SecretChange): string {
  return `${field}: (${state}${reason === undefined ? "" : `: ${reason}`})${source === null ? "" : ` from ${source.from}`}`;
}

/** Header values may be credentials. */
function maskValue(field: string, value: unknown): unknown {
  const name = field.slice(field.lastIndexOf(".") + 1);
  return maskField(name, value ?? null);
}

/** @throws CliError that lists all refusals, with exit code 10 or 12 */
export function assertNoRefusals({ refusals }: Decision): void {
  const [first] = refusals;
  if (first === undefined) return;
  const worst = refusals.find(({ exit }) => exit === 12) ?? first;
  const isSingle = refusals.length === 1;
  throw new CliError({
    exit: worst.exit === 12 ? exits.refused : exits.differences,
    code: worst.exit === 12 ? "config_refused" : "config_differs",
    message: isSingle ? worst.message : `the plan has ${refusals.length} problems`,
    // With several refusals, each detail contains its own hint.
    hint: isSingle ? worst.hint : undefined,
    details: refusals.map(({ reason, message, hint }) => ({
      path: [reason],
      message: isSingle || hint === undefined ? message : `${message}; ${hint}`,
    })),
  });
}
