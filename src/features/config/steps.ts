/** Converts a decision to plan steps, in an order that the service accepts. */
import { createHash } from "node:crypto";
import { normalizedText } from "../../write/fields.js";
import { createdFingerprint, fingerprintOf, nameFieldOf } from "../../write/plan/canonical.js";
import type { PlanStep } from "../../write/plan/format.js";
import { plainFields } from "../../write/plan/references.js";
import { createStep, deleteStep, updateStep } from "../../write/plan/steps.js";
import { createBody, type IdsOf, updateBody } from "./bodies.js";
import { nameOf, secretHolders, secretNames, specOf } from "./codec.js";
import type { Decision, Deletion, ObjectChange } from "./decision.js";
import type { ConfigObject } from "./folder/objects.js";
import { usesResource } from "./guards.js";
import { type DeletedResource, type NamedOp, orderByName } from "./names.js";
import { findResourceType, order } from "./resource-types/index.js";

interface Op {
  change: ObjectChange;
  action: "create" | "update";
}

const emptyMembers = createHash("sha256").digest("hex").slice(0, 32);

/**
 * @throws ConfigError if a resource that the plan neither renames nor deletes has a name that the plan needs
 */
export function stepsOf(decision: Decision): PlanStep[] {
  const steps: PlanStep[] = [];
  const made = new Map<string, number>();
  const ids = idsOf(decision, made);
  const next = () => steps.length + 1;
  const names = takenNames(decision);
  const deletions = [
    ...decision.deletions.map(toDeletionStep),
    ...decision.changes.filter(({ action }) => action === "replace").flatMap(replacedOf),
  ];
  for (const slot of order) {
    const ops = decision.changes
      .filter(
        ({ object }) => object.resourceType.name === slot.type && object.isGroup === (slot.part === "group"),
      )
      .flatMap(opOf);
    const spec = slot.part === "group" ? slotSpec(slot.type)?.group : slotSpec(slot.type)?.item;
    if (spec === undefined) continue;
    for (const named of orderByName(ops.map(namedOf), {
      spec,
      live: decision.live,
      deletions: deletions.filter((pending) => pending.spec === spec),
    })) {
      if ("rename" in named) {
        const { id, record, name } = named.rename;
        steps.push(
          updateStep(spec.resource, id, { name }, named.isFirst ? record : undefined, { step: next() }),
        );
        continue;
      }
      steps.push(stepOf(named.op, ids, next(), decision, names, named.isRenamedBefore));
      if (named.op.action === "create") made.set(named.op.change.object.key, steps.length);
    }
  }
  const written = [...steps];
  for (const slot of order.toReversed()) {
    for (const pending of deletions) {
      const isGroup =
        pending.spec.resource === "groups" && findResourceType(pending.key)?.group !== undefined;
      if (findResourceType(pending.key)?.name !== slot.type || isGroup !== (slot.part === "group")) continue;
      steps.push(buildDeleteStep(pending, next(), written, made.get(pending.key)));
    }
  }
  return steps;
}

function slotSpec(type: (typeof order)[number]["type"]) {
  return findResourceType(type);
}

function opOf(change: ObjectChange): Op[] {
  const { action } = change;
  if (action === "create" || action === "replace") return [{ change, action: "create" }];
  return action === "update" ? [{ change, action: "update" }] : [];
}

function namedOf(op: Op): NamedOp<Op> {
  const { change, action } = op;
  const id = action === "update" ? String(change.record?.["id"]) : undefined;
  return {
    op,
    id,
    name: nameOf(change.object),
    takesName: action === "create" || change.sends.has(change.object.spec.nameField),
  };
}

interface PendingDeletion extends DeletedResource {
  key: string;
  secrets: ReadonlySet<string>;
  sealed: ReadonlySet<string>;
}

function toDeletionStep({ line, spec, record }: Deletion): PendingDeletion {
  return {
    key: line.key,
    spec,
    id: line.id,
    record,
    secrets: secretNames(undefined, line),
    sealed: new Set(),
  };
}

function replacedOf({ object, line, record }: ObjectChange): PendingDeletion[] {
  return line === undefined || record === undefined
    ? []
    : [
        {
          key: object.key,
          spec: object.spec,
          id: line.id,
          record,
          secrets: secretNames(object, line),
          sealed: sealedHolders(object),
        },
      ];
}

function idsOf({ changes, references, lock }: Decision, made: ReadonlyMap<string, number>): IdsOf {
  const lines = new Map(
    changes.flatMap(({ object, line }) => (line === undefined ? [] : [[object.key, line.id] as const])),
  );
  return {
    key(key) {
      const name = key.normalize("NFC");
      const step = made.get(name);
      return step === undefined ? (lines.get(name) ?? lock.lines.get(name)?.id ?? null) : { $ref: step };
    },
    live: (resourceType, name) => references.idOfLive(resourceType, name) ?? null,
    voice: (name) => references.idOfVoice(name) ?? null,
  };
}

function stepOf(
  { change, action }: Op,
  ids: IdsOf,
  step: number,
  decision: Decision,
  names: TakenNames,
  isRenamedBefore: boolean,
): PlanStep {
  const { object, record, line } = change;
  const { resource } = object.spec;
  const body = action === "create" ? createBody(change, ids) : updateBody(change, ids);
  const origin = { step, key: object.key, sent: sentHash(body) };
  if (action === "update") {
    // An earlier step renames the resource, so expect the record that the earlier step returns.
    const made = updateStep(resource, line?.id ?? "", body, isRenamedBefore ? undefined : record, origin);
    return withoutSecrets(withWebhook(made, record), change);
  }
  const made = createStep(resource, body, { ...origin, equal: names.countEqual(resource, body) });
  const absent = made.if?.absent;
  const name = body[nameFieldOf(resource)];
  const isNamed = typeof name === "string" && resource !== "groups";
  if (absent === undefined) return made;
  if (doesNameMove(decision, change)) {
    // An earlier step frees the name, so don't require an unused name.
    const { absent: _, ...conditions } = made.if ?? {};
    return { ...made, if: conditions };
  }
  // Check again before the write that the name is unused, because the list may be outdated.
  if (isNamed && !names.isTaken(resource, body))
    return { ...made, if: { ...made.if, absent: { in: absent.in, name } } };
  return made;
}

/** Even a step that sends only secrets must detect another user's change to the webhook. */
function withWebhook(step: PlanStep, record: ObjectChange["record"]): PlanStep {
  const webhook = "pre_call_webhook";
  const fields = step.if?.fields;
  if (!(webhook in (step.body ?? {})) || fields === undefined || webhook in fields) return step;
  return { ...step, if: { ...step.if, fields: { ...fields, [webhook]: record?.[webhook] ?? null } } };
}

/**
 * Replaces secrets in a step's conditions with a fingerprint of the resource, because users share plan files.
 */
function withoutSecrets(step: PlanStep, { object, line, record }: ObjectChange): PlanStep {
  const fields = step.if?.fields;
  const sealed = sealedHolders(object);
  const holders = new Set([...secretHolders(object.spec, secretNames(object, line), record), ...sealed]);
  if (holders.size === 0) return step;
  const hidden = [...holders];
  const isShown = Object.keys(fields ?? {}).some((field) => holders.has(field));
  const isSealed = Object.keys(step.body ?? {}).some((field) => sealed.has(field));
  if (record === undefined || !(isShown || isSealed)) return { ...step, hidden };
  const open = (values: Readonly<Record<string, unknown>> | undefined) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([field]) => !holders.has(field)));
  const same = fingerprintOf(object.spec.resource, record);
  return { ...step, if: { ...step.if, fields: open(fields), same }, before: open(step.before), hidden };
}

function sealedHolders({ sealed, spec }: ConfigObject): Set<string> {
  return new Set(
    [...sealed.keys()].map((field) => {
      const api = specOf(spec, field)?.api ?? field.replace(/^extra\./, "");
      return api.split(".")[0] ?? api;
    }),
  );
}

interface TakenNames {
  isTaken(resource: string, body: Readonly<Record<string, unknown>>): boolean;
  /**
   * Counts the live resources that have the same values as the new resource in all fields of `body`. If a file
   * was removed and added again, the resource of the removed file may still exist.
   */
  countEqual(resource: string, body: Readonly<Record<string, unknown>>): number;
}

function takenNames({ live }: Decision): TakenNames {
  const known = new Map<string, ReadonlySet<string>>();
  const slotOf = (resource: string, record: Readonly<Record<string, unknown>>) =>
    `${String(record["group_id"] ?? "")} ${createdFingerprint(resource, [nameFieldOf(resource)], record)}`;
  const isTaken: TakenNames["isTaken"] = (resource, body) => {
    const names =
      known.get(resource) ??
      new Set([...live.records(resource).values()].map((record) => slotOf(resource, record)));
    known.set(resource, names);
    return names.has(slotOf(resource, body));
  };
  return {
    isTaken,
    countEqual(resource, body) {
      if (!isTaken(resource, body)) return 0;
      const fields = Object.keys(plainFields(body)).sort();
      const fingerprint = createdFingerprint(resource, fields, body);
      return [...live.records(resource).values()].filter(
        (record) =>
          record["group_id"] === body["group_id"] &&
          createdFingerprint(resource, fields, record) === fingerprint,
      ).length;
    },
  };
}

/** Returns whether another resource still has this name, which the plan will free. */
function doesNameMove({ live }: Decision, { object }: ObjectChange): boolean {
  if (!["groups", "calendars", "tools"].includes(object.spec.resource)) return false;
  const name = normalizedText(nameOf(object));
  const type = object.spec.fixed?.["type"];
  return [...live.records(object.spec.resource).values()].some(
    (record) =>
      normalizedText(String(record["name"] ?? "")) === name &&
      (type === undefined || record["type"] === type),
  );
}

/** Creates a delete step that waits for all steps that remove references to the resource. */
function buildDeleteStep(
  { key, spec, id, record, secrets, sealed }: PendingDeletion,
  step: number,
  written: readonly PlanStep[],
  replacement: number | undefined,
): PlanStep {
  const releaseSteps = written.filter(({ op, if: expected, before }) => {
    if (!op.startsWith("assistants.")) return false;
    return usesResource({ ...expected?.fields, ...before }, id);
  });
  const needs = [
    ...new Set([
      ...(replacement === undefined ? [] : [replacement]),
      ...releaseSteps.map((releaseStep) => releaseStep.step),
    ]),
  ];
  const isGroup = spec.resource === "groups";
  // Another user may have added members, so delete the group only if it is empty.
  const members = isGroup ? { members: { count: 0, hash: emptyMembers, late: true as const } } : {};
  const origin = { step, ...(replacement === undefined ? { key } : {}) };
  const isRenamed = written.some(
    ({ path, body }) => Object.values(path ?? {})[0] === id && body?.["name"] !== undefined,
  );
  const made = deleteStep(spec.resource, id, record, { ...origin, ...members });
  const { same: _, ...conditions } = made.if ?? {};
  const holders = new Set([...secretHolders(spec, secrets, record), ...sealed]);
  const before = Object.fromEntries(Object.entries(record).filter(([field]) => !holders.has(field)));
  return {
    ...made,
    ...(holders.size === 0
      ? {}
      : { before, hidden: [...holders], undo: made.undo === "new-id" ? "partial" : made.undo }),
    ...(isRenamed ? { if: conditions } : {}),
    ...(needs.length === 0 ? {} : { needs }),
  };
}

function sentHash(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 32);
}
