import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStage, Session, type Stage } from "./session.js";
import { anyStep, type Step } from "./steps.js";

/**
 * `MODEL_SEED` selects other sequences; `random` selects different ones in each run. `MODEL_RUNS` is the
 * number of sequences. `MODEL_REPLAY` is a file with the steps that a failure printed.
 */
const chosenSeed = process.env["MODEL_SEED"];
const seed = chosenSeed === "random" ? undefined : Number(chosenSeed ?? 8);
const numRuns = Number(process.env["MODEL_RUNS"] ?? (process.env["PROOF"] ? 2_000 : 12));
const replayed = process.env["MODEL_REPLAY"];

class StepCommand implements fc.AsyncCommand<object, Session> {
  constructor(readonly step: Step) {}
  check() {
    return true;
  }
  run(_model: object, session: Session) {
    return session.take(this.step);
  }
  toString() {
    return JSON.stringify(this.step);
  }
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.emulator.close();
});

const sequences = fc.commands([anyStep.map((step) => new StepCommand(step))], {
  maxCommands: 60,
  size: "max",
});

/** All tests share the same sequences, which run once. */
let compared: Promise<void> | undefined;
const compareHistories = () => (compared ??= runSequences());

async function runSequences(): Promise<void> {
  const property = fc.asyncProperty(sequences, async (commands) => {
    const session = await Session.open(stage);
    try {
      await fc.asyncModelRun(() => ({ model: {}, real: session }), commands);
      await session.compareAll();
    } finally {
      await session.close();
    }
  });
  const details = await fc.check(property, { numRuns, ...(seed !== undefined && { seed }) });
  if (!details.failed) return;
  const steps = String(details.counterexample?.[0] ?? "").replace(/\/\*.*?\*\//g, "");
  const list = steps.replaceAll('},{"', '},\n{"');
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  throw new Error(
    `seed ${details.seed}: after these steps the two differ (MODEL_REPLAY):\n[\n${list}\n]\n${reason}`,
  );
}

const longest = 1_800_000;

describe("random sequences of requests", () => {
  it(
    // plain-words: allow title-long
    "[public.operations.1a property] [public.operations.1b property] [public.operations.1c property] [public.operations.3a property] [public.operations.3b property] responses to random requests match the model for groups, prompts and their references",
    compareHistories,
    longest,
  );

  it(
    // plain-words: allow title-long
    "[public.operations.5 property] [public.operations.7a property] [public.operations.7b property] [public.operations.7c property] [public.operations.7d property] responses to random requests match the model for PATCHes of assistants",
    compareHistories,
    longest,
  );

  it(
    // plain-words: allow title-long
    "[public.operations.7e property] [public.operations.7f property] [public.operations.7g property] [public.operations.7h property] [public.operations.7i property] responses to random requests match the model for a webhook's credentials",
    compareHistories,
    longest,
  );

  it(
    // plain-words: allow title-long
    "[public.operations.8b property] [public.operations.9 property] [public.operations.11b property] [public.operations.11c property] [public.calendar.unique property] responses to random requests match the model for group items and calendars",
    compareHistories,
    longest,
  );

  it(
    // plain-words: allow title-long
    "[public.operations.12a property] [public.operations.12b property] [public.operations.12f property] [public.operations.14a property] [public.limits.1 property] responses to random requests match the model for calls and their recordings",
    compareHistories,
    longest,
  );

  it(
    // plain-words: allow title-long
    "[public.assistant.refs property] [public.errors.4 property] [public.general.9a property] [public.states.patch property] responses to random requests match the model for references, unknown resources and lists",
    compareHistories,
    longest,
  );

  it(
    // plain-words: allow title-long
    "[public.limits.2 property] [public.limits.read property] [public.limits.write property] [public.limits.outbound property] responses to random requests match the model for the counts of each bucket",
    compareHistories,
    longest,
  );

  it(
    // plain-words: allow title-long
    "[D-order property] [D-roles property] responses to random requests match the model for checks and roles",
    compareHistories,
    longest,
  );
});

// Runs only on request.
it.runIf(replayed !== undefined)("MODEL_REPLAY replays the steps that a failure printed", async () => {
  const steps: Step[] = JSON.parse(readFileSync(replayed ?? "", "utf8"));
  const session = await Session.open(stage);
  for (const step of steps) await session.take(step);
  await session.compareAll();
  expect(steps).not.toEqual([]);
  await session.close();
});
