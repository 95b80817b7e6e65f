import { isFields } from "../../base/fields.js";
import { formatCount, inflect } from "../../base/text.js";
import { findLostLetters, lostLettersReason } from "../../base/utf8.js";
import { listResources } from "../../write/remote.js";
import type { Verdict } from "./compare.js";
import { isImmutable } from "./compare-resources.js";
import type { Decision, ObjectChange, PlanOptions, Refusal } from "./decision.js";
import type { ConfigObject } from "./folder/objects.js";
import { groupRefusals, thresholdRefusals, useRefusals } from "./guards.js";
import type { Reading } from "./live.js";

type Parts = Omit<Decision, "drift" | "conflicts" | "refusals" | "thresholds"> & {
  driftedDeletions: readonly { key: string; fields: string[] }[];
};

/** @throws ClientError */
export async function refusalsOf(
  reading: Reading,
  { driftedDeletions, ...parts }: Parts,
  options: PlanOptions,
): Promise<Decision> {
  const { changes, deletions, lock, live } = parts;
  const drift = [...withVerdict(changes, "drift"), ...driftedDeletions];
  const conflicts = withVerdict(changes, "conflict");
  const touched = { deletions, changes, lines: lock.lines };
  const contactsIn = await countContacts(reading, parts);
  const thresholds = thresholdRefusals(touched, options);
  const refusals = [
    ...differing({ ...parts, drift, conflicts }, options),
    ...thresholds,
    ...groupRefusals(touched, live, contactsIn),
    ...useRefusals(touched, live),
    ...replaceRefusals(changes, options),
    ...incompleteRefusals(changes),
    ...lostLettersRefusals(changes),
    ...referenceRefusals(parts),
  ];
  return { ...parts, drift, conflicts, refusals, thresholds: thresholds.map(({ message }) => message) };
}

function withVerdict(
  changes: readonly ObjectChange[],
  expected: Verdict,
): { key: string; fields: string[] }[] {
  return changes.flatMap(({ object, verdicts }) => {
    const fields = [...verdicts].filter(([, verdict]) => verdict === expected).map(([field]) => field);
    return fields.length === 0 ? [] : [{ key: object.key, fields }];
  });
}

/** Returns refusals that require the user's decision (exit code 10). */
function differing(
  {
    declared,
    drift,
    conflicts,
    gone,
    needsAdopt,
    ambiguous,
    unclear,
  }: Omit<Decision, "refusals" | "thresholds">,
  { drift: onDrift, resolve }: PlanOptions,
): Refusal[] {
  const refusals: Refusal[] = [];
  const add = (reason: Refusal["reason"], message: string, hint: string) =>
    refusals.push({ reason, exit: 10, message, hint });
  if (drift.length > 0 && onDrift === "refuse")
    add(
      "drift",
      `${formatCount(drift.length, "resource")} changed in the organization since the last apply: ${listed(drift)}`,
      "to update the files, run `voxctl config pull`; otherwise, use --drift overwrite or --drift keep",
    );
  if (conflicts.length > 0 && resolve === undefined)
    add(
      "conflict",
      `${formatCount(conflicts.length, "resource")} changed both in the file and in the organization: ${listed(conflicts)}`,
      "use --resolve file or --resolve live",
    );
  if (gone.length > 0 && onDrift !== "overwrite")
    add(
      "gone",
      `${formatCount(gone.length, "resource")} in the lock file ${inflect(gone.length, "was", "were")} deleted in the organization: ${listed(gone)}`,
      `to recreate them, use --drift overwrite; to unbind them, run \`voxctl config adopt KEY=\``,
    );
  if (needsAdopt.length > 0)
    add(
      "needs_adopt",
      `${formatCount(needsAdopt.length, "file")} ${inflect(needsAdopt.length, "has", "have")} the same name as an unbound live resource: ${listed(needsAdopt)}`,
      `to bind them, use --adopt or run \`voxctl config adopt\``,
    );
  const at = (key: string) => {
    const object = declared.objects.get(key);
    return object === undefined ? "" : formatLocation(object, object.spec.nameField);
  };
  for (const { key, ids } of ambiguous)
    refusals.push({
      reason: "ambiguous",
      exit: 10,
      message: `${at(key)}${key} matches several live resources: ${ids.join(", ")}`,
      hint: `to choose one, run \`voxctl config adopt ${key}=ID\``,
    });
  for (const key of unclear)
    refusals.push({
      reason: "unclear_move",
      exit: 10,
      message: `${at(key)}cannot determine whether ${key} is new or was moved`,
      hint: `in the project file, add an entry to \`moved\`: \`{ from: OLD, to: ${key} }\` if the file was moved, or \`{ to: ${key} }\` if it is new`,
    });
  return refusals;
}

function listed(entries: readonly (string | { key: string })[]): string {
  const keys = entries.map((entry) => (typeof entry === "string" ? entry : entry.key));
  return keys.length > 5 ? `${keys.slice(0, 5).join(", ")} and ${keys.length - 5} more` : keys.join(", ");
}

function formatLocation(object: ConfigObject, field: string): string {
  const { file, path } = object.locate(field);
  const [first = "", ...tail] = path === "body" ? [] : path;
  return `${file.path}, line ${file.yaml.lineOf([first, ...tail])}: `;
}

/** Refuses replacements without --prune, because a replacement deletes the existing resource. */
function replaceRefusals(changes: readonly ObjectChange[], { prune }: PlanOptions): Refusal[] {
  return changes
    .filter(
      ({ action, object }) => action === "replace" && prune?.includes(object.resourceType.name) !== true,
    )
    .map(({ object, sends }) => {
      const fields = [...sends].filter((field) => isImmutable(object, field));
      return {
        reason: "replace",
        exit: 12,
        message: `${formatLocation(object, fields[0] ?? object.spec.nameField)}cannot change ${fields.join(", ")} of ${object.key} without deleting and recreating the resource`,
        hint: "to delete and recreate the resource, use --prune",
      };
    });
}

function incompleteRefusals(changes: readonly ObjectChange[]): Refusal[] {
  return changes
    .filter(({ action }) => action === "create" || action === "replace")
    .flatMap(({ object }): Refusal[] => {
      const missing = object.spec.fields
        .filter(({ isRequired, name }) => isRequired === true && (object.fields.get(name) ?? null) === null)
        .map(({ name }) => name);
      if (missing.length === 0) return [];
      return [
        {
          reason: "incomplete",
          exit: 12,
          message: `${formatLocation(object, object.spec.nameField)}cannot create ${object.key}: missing ${missing.join(", ")}`,
          hint: "add the missing fields, or select other resources with --only",
        },
      ];
    });
}

/** Refuses text with a replacement character (U+FFFD), unless the organization already has this text. */
function lostLettersRefusals(changes: readonly ObjectChange[]): Refusal[] {
  return changes.flatMap(({ object, action, sends }) =>
    [...object.fields]
      .filter(([field, value]) => isSent(action, sends, field) && findLostLetters(value) !== undefined)
      .map(
        ([field]): Refusal => ({
          reason: "lost_letters",
          exit: 12,
          message: `${formatLocation(object, field)}${field} of ${object.key} ${lostLettersReason}`,
        }),
      ),
  );
}

function isSent(action: ObjectChange["action"], sends: ReadonlySet<string>, field: string): boolean {
  return action === "create" || action === "replace" || sends.has(field);
}

/** Refuses references by name that don't match exactly one live resource. */
function referenceRefusals({
  changes,
  references,
  live,
}: Pick<Parts, "changes" | "references" | "live">): Refusal[] {
  return changes.flatMap(({ object, action, sends }) =>
    object.spec.fields.flatMap(({ name, form, to }): Refusal[] => {
      const value = object.fields.get(name);
      const toRefusal = (what: string, hint?: string): Refusal => ({
        reason: "not_found",
        exit: 12,
        message: `${formatLocation(object, name)}${name}: ${what}`,
        ...(hint === undefined ? {} : { hint }),
      });
      if (form === "voice" && typeof value === "string") {
        const count = live.voices.filter((voice) => voice.name === value).length;
        if (count === 1) return [];
        return count === 0
          ? [toRefusal(`voice "${value}" not found`, "list the voices: `voxctl voices list`")]
          : [toRefusal(`${count} voices are named "${value}"`, "to choose one, use voice: { id: ID }")];
      }
      // Check the voice only if it will be sent, because an assistant can keep a voice that is not
      // selectable. `live.voices` contains only selectable voices.
      const isGiven = isSent(action, sends, name);
      if (form === "voice" && isFields(value) && isGiven)
        return live.voices.some(({ id }) => id === value["id"])
          ? []
          : [
              toRefusal(
                `voice ${String(value["id"])} is not available`,
                "choose a voice from `voxctl voices list`, or set a different voice for this target in an overlay",
              ),
            ];
      if (to === undefined) return [];
      return [value]
        .flat()
        .flatMap((reference) =>
          isFields(reference) && references.idOfLive(to, String(reference["live"])) === undefined
            ? [toRefusal(`"${String(reference["live"])}" does not match exactly one live resource`)]
            : [],
        );
    }),
  );
}

/** voxctl doesn't manage contacts, so it must not delete a group that contains contacts. */
async function countContacts(
  reading: Reading,
  { deletions }: Pick<Parts, "deletions">,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { spec, line } of deletions) {
    if (spec.fixed?.["type"] !== "contacts") continue;
    let count = 0;
    for await (const { record } of listResources(reading, "contacts", { group_id: line.id }))
      if ((record["group_id"] ?? line.id) === line.id) count += 1;
    counts.set(line.id, count);
  }
  return counts;
}
