import { CliError, refusedError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { formatInterruption } from "../../../cli/terminal/progress.js";
import type { Attempt } from "../attempts.js";
import type { PreparedScenario } from "../results.js";
import type { SuiteTarget } from "../run.js";
import type { Scenario, Suite } from "../suite.js";
import { toCallFailure } from "./call-failure.js";
import { createAssistantFinder } from "./find-assistant.js";

/** @param preparing called for each scenario before its assistant is looked up */
export async function prepareScenarios(
  attempts: readonly Attempt[],
  target: OpenSuiteTarget,
  preparing: (scenario: Scenario) => void,
): Promise<PreparedScenario[]> {
  const prepared: PreparedScenario[] = [];
  for (const { scenario, of } of attempts) {
    preparing(of);
    prepared.push({ scenario, assistant: await target.assistantOf(scenario.assistant) });
  }
  return prepared;
}

export interface OpenSuiteTarget extends SuiteTarget {
  assistantOf(name: string): Promise<PreparedScenario["assistant"]>;
  /**
   * Prevents other machines from calling with the same assistants while `work` runs. Undefined for a
   * temporary emulator.
   */
  withAssistants?(
    scenarios: readonly PreparedScenario[],
    file: string,
    work: () => Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
}

export async function openServiceTarget(
  session: Session,
  { scenarios }: Suite,
  dryRun: boolean,
  finalStatuses: readonly string[],
): Promise<OpenSuiteTarget> {
  const connection = await session.connect({ mutates: !dryRun }).catch(suggestOffline);
  const { client, clock } = connection;
  // Print a note rather than a warning: the same suite may be used with and without --offline.
  if (scenarios.some(({ offline }) => offline))
    session.notes.note(
      "Without --offline, the outcomes under `offline` are ignored. To see how an emulator ends calls, run `voxctl calls test --help`.",
    );
  return {
    client,
    clock,
    signal: session.signal,
    random: session.random,
    toFailure: (error) => toCallFailure(error, session.signal),
    maxWaitMilliseconds: session.flags.maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
    finalStatuses,
    onOutage: ({ message }) =>
      session.notes.note(formatInterruption(message, "retrying until the scenario's timeout")),
    assistantOf: createAssistantFinder(client, session),
    async withAssistants(scenarios, file, work) {
      const { withAssistantLeases } = await import("../../../cli/bulk/assistant-leases.js");
      const assistants = scenarios.map(({ assistant }) => assistant);
      await withAssistantLeases(session, connection, { command: `calls test ${file}`, assistants }, work);
    },
    close: async () => {},
  };
}

/** If no profile was selected, adds a hint about `--offline`, which needs no profile. */
function suggestOffline(error: unknown): never {
  if (!(error instanceof CliError) || error.code !== "no_profile") throw error;
  const hint =
    "to simulate the calls, use --offline; to place them, use --profile NAME, or set VOXCTL_BASE_URL and VOXCTL_API_KEY";
  throw refusedError("no_profile", error.message, hint);
}

export async function openOfflineTarget(
  session: Session,
  { scenarios }: Suite,
  mirror: string | undefined,
): Promise<OpenSuiteTarget> {
  const { openEmulatorTarget, openMirrorTarget } = await import("./offline.js");
  return mirror === undefined ? openEmulatorTarget(session, scenarios) : openMirrorTarget(session, mirror);
}
