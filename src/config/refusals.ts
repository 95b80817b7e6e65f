/** Everything that stands in the way of a plan, gathered once all is decided. */

import { formatCount } from "../base/text.js";
import { findLostLetters, lostLettersReason } from "../base/utf8.js";
import { listResources } from "../bulk/plan/remote.js";
import type { Verdict } from "./compare.js";
import { isImmutable } from "./compare-resources.js";
import type { Decision, ObjectChange, PlanOptions, Refusal } from "./decision.js";
import type { ConfigObject } from "./folder/objects.js";
import { groupRefusals, thresholdRefusals, useRefusals } from "./guards.js";
import type { Reading } from "./live.js";
import { isFields } from "./overlays.js";

type Parts = Omit<Decision, "drift" | "conflicts" | "refusals" | "thresholds"> & {
  /** Things that would be deleted, and that others have changed. */
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

/** A person has to look first: 10. */
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
      `${formatCount(drift.length, "object")} drifted: ${listed(drift)}`,
      "voxctl config pull takes it over; --drift overwrite or keep decides",
    );
  if (conflicts.length > 0 && resolve === undefined)
    add(
      "conflict",
      `${formatCount(conflicts.length, "object")} changed in the file and live: ${listed(conflicts)}`,
      "--resolve file or live decides",
    );
  if (gone.length > 0 && onDrift !== "overwrite")
    add(
      "gone",
      `${formatCount(gone.length, "object")} of the lock ${gone.length === 1 ? "is" : "are"} gone: ${listed(gone)}`,
      "--drift overwrite creates again; voxctl config forget unbinds",
    );
  if (needsAdopt.length > 0)
    add(
      "needs_adopt",
      `${formatCount(needsAdopt.length, "file")} ${needsAdopt.length === 1 ? "has" : "have"} the name of what is live already: ${listed(needsAdopt)}`,
      "--adopt binds them; so does voxctl config adopt",
    );
  const at = (key: string) => {
    const object = declared.objects.get(key);
    return object === undefined ? "" : formatLocation(object, object.spec.nameField);
  };
  for (const { key, ids } of ambiguous)
    refusals.push({
      reason: "ambiguous",
      exit: 10,
      message: `${at(key)}${key} could be any of ${ids.join(", ")}`,
      hint: `voxctl config adopt ${key}=ID says which`,
    });
  for (const key of unclear)
    refusals.push({
      reason: "unclear_move",
      exit: 10,
      message: `${at(key)}${key} is new or was moved?`,
      hint: `add it to moved: in the project file, with from: if it was moved: { from: OLD, to: ${key} }`,
    });
  return refusals;
}

function listed(entries: readonly (string | { key: string })[]): string {
  const keys = entries.map((entry) => (typeof entry === "string" ? entry : entry.key));
  return keys.length > 5 ? `${keys.slice(0, 5).join(", ")} and ${keys.length - 5} more` : keys.join(", ");
}

/** `prompts/a.md, line 3: `, in front of what is wrong with a field there. */
function formatLocation(object: ConfigObject, field: string): string {
  const { file, path } = object.locate(field);
  const [first = "", ...tail] = path === "body" ? [] : path;
  return `${file.path}, line ${file.yaml.lineOf([first, ...tail])}: `;
}

/** A6: the old one is deleted, which needs its own word. */
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
        message: `${formatLocation(object, fields[0] ?? object.spec.nameField)}${fields.join(", ")} of ${object.key} can't be changed; it would be made anew, and the old one deleted`,
        hint: "--prune allows that",
      };
    });
}

/** A file may leave out what is live already (F3); what is to be made has to be said. */
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
          message: `${formatLocation(object, object.spec.nameField)}${object.key} is to be created, and its file does not say ${missing.join(", ")}`,
          hint: "--only leaves it out",
        },
      ];
    });
}

/** What is live already may have lost its letters; they are not written once more. */
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

/** F2: what is named outside the folder has to be there exactly once. */
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
          ? [toRefusal(`there is no voice "${value}"`, "voxctl voices list shows those that there are")]
          : [toRefusal(`there are ${count} voices "${value}"`, "voice: { id: ID } names one of them")];
      }
      // A list shows the voices that can be chosen: another one is kept by who has it, and given to nobody.
      const isGiven = isSent(action, sends, name);
      if (form === "voice" && isFields(value) && isGiven)
        return live.voices.some(({ id }) => id === value["id"])
          ? []
          : [
              toRefusal(
                `there is no voice ${String(value["id"])} that can be chosen`,
                "voxctl voices list shows those that there are; an overlay can name another one for this target",
              ),
            ];
      if (to === undefined) return [];
      return [value]
        .flat()
        .flatMap((reference) =>
          isFields(reference) && references.idOfLive(to, String(reference["live"])) === undefined
            ? [toRefusal(`"${String(reference["live"])}" is not live exactly once`)]
            : [],
        );
    }),
  );
}

/** Contacts are never managed: a group with any of them is not deleted. */
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
