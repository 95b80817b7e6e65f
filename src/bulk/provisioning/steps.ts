import type { PlanItem } from "./compare.js";
import type { Simulation } from "./simulation.js";

/** An item of a run that can be done once what it needs is free. */
export interface Step {
  item: PlanItem;
  line: number;
  target: string | undefined;
  /** The license that it needs. */
  wants?: string | undefined;
  /** Gives an organization that is there another license. */
  reassigns?: boolean;
  isReady(): boolean;
  /** Simulates it. */
  apply(): void;
}

/**
 * Steps in an order in which each is possible: in their own order where that can be, deletes last. A delete comes
 * earlier where other steps wait for a license. Organizations that hold each other's licenses swap them by way of a
 * free one of their MSP.
 */
export function ordered(
  simulation: Simulation,
  steps: readonly Step[],
  deletes: readonly Step[],
): { done: Step[]; blocked: Step[] } {
  const done: Step[] = [];
  let waiting = [...steps];
  let left = [...deletes];
  const take = (step: Step) => {
    step.apply();
    done.push(step);
  };
  const stopped = new Set<string>();
  /** Moves an organization whose license another one waits for out of the way. */
  const stopOver = (): Step | undefined => {
    const wanted = new Set(waiting.map(({ wants }) => wants));
    for (const step of waiting) {
      const { externalId, msp } = step.item;
      const own = simulation.licenseOf(externalId);
      if (step.reassigns !== true || stopped.has(externalId) || !wanted.has(own)) continue;
      const spare = simulation.spareOf(msp);
      if (spare === undefined) continue;
      stopped.add(externalId);
      const { item } = step;
      const over = { ...item, license: spare, change: { license: spare } };
      // The license that it holds then is the one that the planned change replaces.
      step.item = { ...item, from: { license: spare } };
      return { ...step, item: over, apply: () => simulation.give(externalId, spare) };
    }
    return undefined;
  };
  while (waiting.length > 0) {
    const before = waiting.length;
    waiting = waiting.filter((step) => {
      if (!step.isReady()) return true;
      take(step);
      return false;
    });
    if (waiting.length < before) continue;
    const wanted = new Set(waiting.map(({ wants }) => wants));
    const next =
      left.find((step) => step.isReady() && wanted.has(step.item.license ?? undefined)) ??
      left.find((step) => step.isReady());
    if (next) {
      left = left.filter((step) => step !== next);
      take(next);
      continue;
    }
    const over = stopOver();
    if (over === undefined) break;
    take(over);
  }
  for (let ready = left.find((step) => step.isReady()); ready; ready = left.find((step) => step.isReady())) {
    const one = ready;
    left = left.filter((step) => step !== one);
    take(one);
  }
  return { done, blocked: [...waiting, ...left] };
}
