import { openMirrorFork } from "../../../cli/session/mirror-fork.js";
import { openPublicMirror } from "../../../cli/session/mirrors.js";
import { isId } from "../../../cli/session/references/references.js";
import type { Session } from "../../../cli/session/session.js";
import { openTemporaryEmulator } from "../../../cli/session/temporary-emulator.js";
import { createControl } from "../../../client/control.js";
import { E164 } from "../../../contract/primitives.js";
import { toCallUpdate } from "../offline-call.js";
import type { SuiteTarget } from "../run.js";
import type { Scenario } from "../suite.js";
import { toCallFailure } from "./call-failure.js";
import { type CallingAssistant, createAssistantFinder } from "./find-assistant.js";

interface OfflineTarget extends SuiteTarget {
  assistantOf(name: string): Promise<CallingAssistant>;
  close(): Promise<void>;
}

/**
 * Opens a temporary copy of a mirror, so that the organization's assistants exist.
 * @throws CliError with exit code 4 if the mirror doesn't exist, 8 if it is unfinished
 */
export async function openMirrorTarget(session: Session, name: string): Promise<OfflineTarget> {
  const fork = await openMirrorFork(session, await openPublicMirror(session, name));
  const control = createControl(fork.emulator.control);
  return {
    client: fork.client,
    clock: fork.emulator.clock,
    signal: session.signal,
    random: session.random,
    toFailure: (error) => toCallFailure(error, session.signal),
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
    finalStatuses: [],
    assistantOf: createAssistantFinder(fork.client, session),
    async onPlaced({ offline }, callId) {
      if (offline) await control("calls.update", { path: { id: callId }, body: toCallUpdate(offline) });
    },
    close: () => fork.close(),
  };
}

/**
 * Opens a temporary emulator with the suite's assistants. The `offline` section of a scenario determines the
 * outcome of its call. Waits advance the emulator's clock, so calls end immediately.
 */
export async function openEmulatorTarget(
  session: Session,
  scenarios: readonly Scenario[],
): Promise<OfflineTarget> {
  const { emulator, control, client, createAssistant } = await openTemporaryEmulator(session);
  const ids = new Map<string, string>();
  for (const name of new Set(scenarios.map(({ assistant }) => assistant))) {
    const isNamed = !isId(name) && !E164.safeParse(name).success;
    ids.set(name, await createAssistant({ name: isNamed ? name : `Assistant ${name}` }));
  }
  return {
    client,
    clock: emulator.clock,
    signal: session.signal,
    random: session.random,
    toFailure: (error) => toCallFailure(error, session.signal),
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
    finalStatuses: [],
    assistantOf: async (name) => ({ assistant_id: ids.get(name) ?? "" }),
    async onPlaced({ offline }, callId) {
      if (offline) await control("calls.update", { path: { id: callId }, body: toCallUpdate(offline) });
    },
    close: () => emulator.close(),
  };
}
