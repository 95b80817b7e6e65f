import { operationOf, pathOf } from "../../contract/operation-names.js";
import { identityOf, type RunIdentity } from "../journal/identity.js";
import type { NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { isStoredStep, type PlanStep } from "./format.js";

export interface PlannedStep {
  step: PlanStep;
  /** Whether the step writes a row of an import. Such a step contains no placeholders. */
  isRow?: boolean;
  resource: string;
  /** Numbers of the steps that must succeed first: the referenced steps, and the resource's previous step. */
  requires: readonly number[];
  /** Numbers of the steps that must be finished first, with any result. */
  follows: readonly number[];
  previous: number | undefined;
  /** Whether to wait for all earlier steps, because they may reference the resource to delete. */
  isBarrier: boolean;
  /** Key of the shared request. Steps with the same key share one request. */
  share?: string | undefined;
}

export function plannedStepOf(journal: Journal, item: WrittenItem): PlannedStep {
  return createPlannedSteps(journal)(item);
}

/** Caches the steps, because items are read several times. */
export function createPlannedSteps(journal: Journal): (item: WrittenItem) => PlannedStep {
  const known = new WeakMap<WrittenItem, PlannedStep>();
  let buildStep: ReturnType<typeof importedSteps> | undefined;
  const find = (item: WrittenItem): PlannedStep => {
    const planned = known.get(item) ?? storedStep(item);
    if (planned !== undefined) {
      known.set(item, planned);
      return planned;
    }
    // Building the step of a row takes less time than a weak map with all rows.
    buildStep ??= importedSteps(identityOf(journal));
    return buildStep(item);
  };
  let last: { item: WrittenItem; planned: PlannedStep } | undefined;
  return (item) => {
    if (last?.item !== item) last = { item, planned: find(item) };
    return last.planned;
  };
}

type WrittenItem = Pick<NewItem, "number" | "action" | "target" | "body" | "input">;

/** Returns undefined for an import, because only plans and undos store steps. */
function storedStep({ input, body }: WrittenItem): PlannedStep | undefined {
  const { step, resource, requires, follows, previous, isBarrier, share, bodyInColumn } = recordOf(input);
  if (!isStoredStep(step)) return undefined;
  return {
    step: bodyInColumn === true ? { ...step, body: recordOf(body) } : step,
    resource: String(resource),
    requires: numbersIn(requires),
    follows: numbersIn(follows),
    previous: typeof previous === "number" ? previous : undefined,
    isBarrier: isBarrier === true,
    share: typeof share === "string" ? share : undefined,
  };
}

/** Builds the steps for the rows of an import, because the journal stores only the fields of the rows. */
function importedSteps({
  kind = "",
  group_id,
}: Partial<RunIdentity> = {}): (item: WrittenItem) => PlannedStep {
  const [resource = ""] = kind.split(".");
  return ({ number, action = "create", target, body }) => {
    const op = operationOf(resource, action);
    const fields = recordOf(body);
    const step: PlanStep = { step: number, op, undo: "full" };
    if (action !== "create") step.path = pathOf(op, target);
    if (action !== "delete") step.body = action === "create" ? { group_id, ...fields } : fields;
    return {
      step,
      isRow: true,
      resource,
      requires: [],
      follows: [],
      previous: undefined,
      isBarrier: false,
    };
  };
}

function numbersIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "number") : [];
}
