/** Converts the items of a run to steps of a plan. */
import { operationOf, pathOf } from "../../contract/operation-names.js";
import { identityOf, type RunIdentity } from "../journal/identity.js";
import type { NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { isStoredStep, type PlanStep } from "./format.js";

export interface PlannedStep {
  step: PlanStep;
  resource: string;
  /** These steps must succeed first: references, and the resource's previous step. */
  requires: readonly number[];
  /** These steps must be finished first, with any result. */
  follows: readonly number[];
  /** The resource's previous step. */
  previous: number | undefined;
  /** Whether to wait for all earlier steps, because they may reference the resource to delete. */
  isBarrier: boolean;
  /** Key of the shared request; steps with the same key share one. */
  share?: string | undefined;
}

export function plannedStepOf(journal: Journal, item: WrittenItem): PlannedStep {
  return createPlannedSteps(journal)(item);
}

/** Items are read several times, so the returned function caches their steps. */
export function createPlannedSteps(journal: Journal): (item: WrittenItem) => PlannedStep {
  const known = new WeakMap<WrittenItem, PlannedStep>();
  let identity: RunIdentity | undefined;
  return (item) => {
    let planned = known.get(item) ?? storedStep(item);
    if (planned === undefined) {
      identity ??= identityOf(journal);
      planned = importedStep(item, identity);
    }
    known.set(item, planned);
    return planned;
  };
}

type WrittenItem = Pick<NewItem, "number" | "action" | "target" | "body" | "input">;

/** Only plans and undos store steps. For imports, returns undefined. */
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

/** For imports, the journal stores only fields, so build the step. */
function importedStep(
  { number, action = "create", target, body }: WrittenItem,
  { kind = "", group_id }: Partial<RunIdentity> = {},
): PlannedStep {
  const [resource = ""] = kind.split(".");
  const op = operationOf(resource, action);
  const fields = recordOf(body);
  return {
    step: {
      step: number,
      op,
      ...(action === "create" ? {} : { path: pathOf(op, target) }),
      ...(action === "delete" ? {} : { body: action === "create" ? { group_id, ...fields } : fields }),
      undo: "full",
    },
    resource,
    requires: [],
    follows: [],
    previous: undefined,
    isBarrier: false,
  };
}

function numbersIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "number") : [];
}
