import { createClient } from "../../../../client/client.js";
import { E164 } from "../../../../contract/primitives.js";
import { isFields, textIn } from "../../../output/fields.js";
import { isId } from "../../../session/references/references.js";
import type { Session } from "../../../session/session.js";
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
  const { openEmulator } = await import("../../../../emulator/index.js");
  const emulator = await openEmulator({ db: ":memory:", clock: "virtual", seed: "empty" });
  const { base_url, keys } = emulator.startLine;
  const { clock } = emulator;
  const client = createClient({
    targets: { public: { baseUrl: base_url, key: keys.admin } },
    transport: emulator.transport,
    clock,
    random: session.random,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
  });
  const { data: voices } = await client.call("voices.list");
  const voice: unknown = Array.isArray(voices) ? voices[0] : undefined;
  const ids = new Map<string, string>();
  for (const name of new Set(scenarios.map(({ assistant }) => assistant))) {
    const { data } = await client.call("assistants.create", {
      body: {
        name: isId(name) || E164.safeParse(name).success ? `Assistant ${name}` : name,
        language: "de",
        voice_id: isFields(voice) ? textIn(voice, "id") : "",
        company_name: "Offline",
        company_industry: "Test",
        introduction: "Guten Tag!",
      },
    });
    ids.set(name, isFields(data) ? textIn(data, "id") : "");
  }
  return {
    client,
    clock,
    signal: session.signal,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
    finalStatuses: [],
    assistantOf: async (name) => ({ assistant_id: ids.get(name) ?? "" }),
    async placed({ offline }, callId) {
      if (offline) await emulator.control("PATCH", `/calls/${callId}`, scripted(offline));
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
