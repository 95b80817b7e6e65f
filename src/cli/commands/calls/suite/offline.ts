import { E164 } from "../../../../contract/primitives.js";
import { isId } from "../../../session/references/references.js";
import type { Session } from "../../../session/session.js";
import { openThrowAwayWorld } from "../../../session/throw-away-world.js";
import type { SuitePlace } from "./run.js";
import type { Scenario, Script } from "./suite.js";

/** How long a scripted call is that does not say. */
const usualSeconds = 60;

/**
 * A world that lasts as long as the run, with the assistants that the suite names. Calls go there as the scenarios'
 * `offline` says, at once: the world's clock moves instead of waiting.
 */
export async function openOffline(
  session: Session,
  scenarios: readonly Scenario[],
): Promise<
  SuitePlace & { assistantOf(name: string): Promise<{ assistant_id: string }>; close(): Promise<void> }
> {
  const { emulator, control, client, createAssistant } = await openThrowAwayWorld(session);
  const ids = new Map<string, string>();
  for (const name of new Set(scenarios.map(({ assistant }) => assistant))) {
    const isNamed = !isId(name) && !E164.safeParse(name).success;
    ids.set(name, await createAssistant({ name: isNamed ? name : `Assistant ${name}` }));
  }
  return {
    client,
    clock: emulator.clock,
    signal: session.signal,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
    finalStatuses: [],
    assistantOf: async (name) => ({ assistant_id: ids.get(name) ?? "" }),
    async placed({ offline }, callId) {
      if (offline) await control("calls.update", { path: { id: callId }, body: scripted(offline) });
    },
    close: () => emulator.close(),
  };
}

/** As the control interface takes it; what is said is spread over the call. */
function scripted({ status, duration, transcript, analyses }: Script): Record<string, unknown> {
  const seconds =
    duration === undefined ? (status === "completed" ? usualSeconds : 0) : Math.round(duration / 1_000);
  return {
    status,
    duration_seconds: seconds,
    ...(transcript
      ? {
          transcript: transcript.map(({ role, text }, index) => ({
            role,
            text,
            offset_seconds: Math.floor((index * seconds) / transcript.length),
          })),
        }
      : {}),
    ...(analyses ? { analyses: Object.entries(analyses).map(([name, value]) => ({ name, value })) } : {}),
  };
}
