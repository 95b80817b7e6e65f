/** Selects the rehearsal's writes for the plan. Replaces values that exist only in the rehearsal. */
import { isFields, mapInner } from "../../base/fields.js";
import { BulkError } from "../errors.js";
import { recordOf } from "../values.js";
import { isSameValue, labelOf, resourceOf } from "./canonical.js";

export interface RehearsedWrite {
  operation: string;
  path: string;
  /** Request body. Placeholders such as `{"$secret": 3}` replace secrets. */
  body: unknown;
  rule: string | null;
  effect: boolean;
  createdId: string | null;
  /** The previous state, as a get would return it. Null if the resource did not exist. */
  before: unknown;
  after: unknown;
}

/** Fields that the service may change without a write. */
const passing = new Set(["updated_at", "sync_status", "rating"]);

/** Rejected writes and writes without effect don't become steps. */
export function isStep(write: RehearsedWrite): boolean {
  const { effect, rule, operation, body } = write;
  // Ignore the effect of a refused write: it is another user's concurrent change, which the emulator
  // simulates.
  if (!effect || rule !== null) return false;
  return (
    !operation.endsWith(".update") || operation === "knowledge.update" || holdsSecret(body) || isChange(write)
  );
}

export function isChange({ before, after }: Pick<RehearsedWrite, "before" | "after">): boolean {
  const [was, is] = [recordOf(before), recordOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].some(
    (field) => !passing.has(field) && !isSameValue(was[field], is[field]),
  );
}

export function findWrittenResource({ operation, path, createdId }: RehearsedWrite): {
  resource: string;
  id: string;
} {
  const resource = resourceOf(operation);
  const id = createdId ?? path.split("/").at(resource === "recordings" ? -2 : -1) ?? "";
  return { resource, id: decodeURIComponent(id) };
}

export interface Replacements {
  /** Records the write's step number for references in later steps. */
  made(write: RehearsedWrite, step: number): void;
  /** Returns the number of the step that created a resource; undefined if the resource existed before. */
  stepOf(id: string): number | undefined;
  /**
   * Returns the body with placeholders for values that are unknown before the plan is applied.
   * @throws BulkError `embedded_reference` if an assigned value occurs inside a longer string
   */
  body(write: RehearsedWrite): Record<string, unknown> | undefined;
  target(id: string): unknown;
}

export function createReplacements(): Replacements {
  const assigned = new Map<string, { step: number; field: string }>();
  const numbers = new Set<string>();
  const secretNames = new Map<string, number>();

  const referenceOf = (value: string): unknown => {
    const assignment = assigned.get(value);
    if (assignment === undefined) return undefined;
    return assignment.field === "id"
      ? { $ref: assignment.step }
      : { $ref: assignment.step, field: assignment.field };
  };
  const embedded = (text: string): string | undefined => {
    if (assigned.size === 0) return undefined;
    for (const [id] of text.matchAll(/[0-9a-f]{24}/g)) if (assigned.has(id)) return id;
    return [...numbers].find((number) => text.includes(number));
  };
  const secretName = (write: RehearsedWrite): string => {
    const { resource } = findWrittenResource(write);
    const label = labelOf(resource, { ...recordOf(write.body), ...recordOf(write.after) }).replaceAll(
      "=",
      "-",
    );
    const name = `${resource}/${label}`;
    const count = (secretNames.get(name) ?? 0) + 1;
    secretNames.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
  const replaced = (value: unknown, write: RehearsedWrite, fieldPath: string): unknown => {
    if (typeof value === "string") {
      const reference = referenceOf(value);
      if (reference !== undefined) return reference;
      const inside = embedded(value);
      if (inside === undefined) return value;
      throw new BulkError(
        "embedded_reference",
        `${write.operation}, ${fieldPath}: the text contains ${inside}, a value that is unknown until the plan is applied`,
        "rehearse without this text, and add it after you apply the plan",
      );
    }
    // If the secret's source is known, a reference has already replaced the value.
    if (isFields(value) && "$secret" in value)
      return typeof value["$secret"] === "string" ? value : { $secret: secretName(write) };
    return mapInner(value, (inner, key) => {
      const isEntry = typeof key === "number";
      return replaced(inner, write, isEntry ? fieldPath : fieldPath === "" ? key : `${fieldPath}.${key}`);
    });
  };

  return {
    made(write, step) {
      if (write.createdId === null) return;
      assigned.set(write.createdId, { step, field: write.operation === "calls.create" ? "call_id" : "id" });
      const { phone_number } = recordOf(write.after);
      if (write.operation !== "assistants.create" || typeof phone_number !== "string") return;
      assigned.set(phone_number, { step, field: "phone_number" });
      numbers.add(phone_number);
    },
    stepOf: (id) => assigned.get(id)?.step,
    body: (write) => (write.body === null ? undefined : recordOf(replaced(write.body, write, ""))),
    target: (id) => referenceOf(id) ?? id,
  };
}

function holdsSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "$secret" in value || Object.values(value).some(holdsSecret);
}
