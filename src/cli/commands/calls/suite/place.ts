import type { Session } from "../../../session/session.js";
import type { Attempt } from "./attempts.js";
import { assistantFinder } from "./find-assistant.js";
import type { PreparedScenario } from "./results.js";
import type { SuitePlace } from "./run.js";
import type { Suite } from "./suite.js";

/** Finds the assistant of each scenario. */
export async function prepare(attempts: readonly Attempt[], place: Place): Promise<PreparedScenario[]> {
  const prepared: PreparedScenario[] = [];
  for (const { scenario } of attempts)
    prepared.push({ scenario, assistant: await place.assistantOf(scenario.assistant) });
  return prepared;
}

/** The service that calls are made at: the profile's, or an emulator that is thrown away. */
export interface Place extends SuitePlace {
  assistantOf(name: string): Promise<PreparedScenario["assistant"]>;
  close(): Promise<void>;
}

export async function openPlace(
  session: Session,
  dryRun: boolean,
  finalStatuses: readonly string[],
): Promise<Place> {
  const { client, clock } = await session.connect({ mutates: !dryRun });
  return {
    client,
    clock,
    signal: session.signal,
    maxWaitMilliseconds: session.flags.maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
    finalStatuses,
    onOutage: ({ message }) =>
      session.notes.note(`${message} It is tried again until the scenario's timeout`),
    assistantOf: assistantFinder(client, session),
    close: async () => {},
  };
}

export async function openOfflinePlace(
  session: Session,
  { scenarios }: Suite,
  mirror: string | undefined,
): Promise<Place> {
  const { openOffline, openOnMirror } = await import("./offline.js");
  return mirror === undefined ? openOffline(session, scenarios) : openOnMirror(session, mirror);
}
