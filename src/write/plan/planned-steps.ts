/** The items of a run as steps of a plan. */
import { operationOf, pathOf } from "../../contract/operation-names.js";
import { identityOf, type RunIdentity } from "../journal/identity.js";
import type { NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { isStoredStep, type PlanStep } from "./format.js";

/** The facts about a step that a run needs in addition to the step itself. */
export interface PlannedStep {
  step: PlanStep;
  resource: string;
  /**
   * Steps that must be done before it: those that it references, and the previous step on the same resource.
   */
  requires: readonly number[];
  /** Steps that must be finished before it, regardless of their result. */
  follows: readonly number[];
  /** The previous step on the same resource. */
  previous: number | undefined;
  /** Other steps may reference the resource that it deletes: everything before it must be finished. */
  isBarrier: boolean;
  /** Steps with the same text share one request. */
  share?: string | undefined;
}

/** The step of an item; see `createPlannedSteps`. */
export function plannedStepOf(journal: Journal, item: WrittenItem): PlannedStep {
  return createPlannedSteps(journal)(item);
}

/**
 * Returns a function that reads the steps of a journal's items. Caches, because each item is queried several
 * times.
 */
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

/** The columns of an item that describe its request. */
type WrittenItem = Pick<NewItem, "number" | "action" | "target" | "body" | "input">;

/** The step of a plan or of an undo, which its journal stores. */
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

/** The request for a row of an import, whose journal stores only the fields. */
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
