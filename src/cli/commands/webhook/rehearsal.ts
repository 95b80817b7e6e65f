import { createClient } from "../../../client/client.js";
import type { Client } from "../../../client/types.js";
import { isFields, textIn } from "../../output/fields.js";
import type { Session } from "../../session/session.js";
import type { Auth } from "./checks.js";

/** The course of an incoming call. */
interface Rehearsed {
  /** Why the webhook's answer does not count; undefined where it does. */
  error: string | undefined;
  /** The prompt as the call read it; undefined where the assistant has none. */
  prompt: string | undefined;
}

export interface Rehearsal {
  /** A caller rings: the webhook is asked as the service would. @param from E.164 */
  call(from: string): Promise<Rehearsed>;
  close(): Promise<void>;
}

/** The fields of an assistant that matter to its callers. */
export interface Rehearsing {
  name: string;
  /** Undefined where it has no prompt. */
  prompt: string | undefined;
  url: string;
  auth: Auth;
  headers?: Readonly<Record<string, string>>;
}

/**
 * A world that lasts as long as the command, with one assistant whose webhook leads to a receiver on this machine: what
 * is sent is what the emulator sends, and no world that anybody keeps is touched.
 */
export async function openRehearsal(session: Session, assistant: Rehearsing): Promise<Rehearsal> {
  const { openEmulator } = await import("../../../emulator/index.js");
  const emulator = await openEmulator({ db: ":memory:", clock: "virtual", seed: "empty" });
  const { base_url, keys } = emulator.startLine;
  const client = createClient({
    targets: { public: { baseUrl: base_url, key: keys.admin } },
    transport: emulator.transport,
    clock: emulator.clock,
    random: session.random,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
  });
  const id = await createAssistant(client, assistant);
  return {
    async call(from) {
      // A call takes its line until it is over.
      await emulator.clock.sleep(600_000);
      const answer = await emulator.control("POST", "/incoming-calls", { assistant_id: id, from });
      const webhook = isFields(answer) && isFields(answer["webhook"]) ? answer["webhook"] : {};
      const prompt = isFields(answer) ? answer["prompt"] : undefined;
      const error = webhook["error"];
      return {
        error: typeof error === "string" ? error : undefined,
        prompt: typeof prompt === "string" ? prompt : undefined,
      };
    },
    close: () => emulator.close(),
  };
}

async function createAssistant(client: Client, assistant: Rehearsing): Promise<string> {
  const { data: voices } = await client.call("voices.list");
  const voice: unknown = Array.isArray(voices) ? voices[0] : undefined;
  const prompt =
    assistant.prompt === undefined
      ? undefined
      : idIn(
          (
            await client.call("prompts.create", {
              body: { name: "Rehearsed", kind: "answering", text: assistant.prompt },
            })
          ).data,
        );
  const { data } = await client.call("assistants.create", {
    body: {
      name: assistant.name,
      language: "de",
      voice_id: idIn(voice),
      company_name: "Rehearsal",
      company_industry: "Test",
      introduction: "Guten Tag!",
      ...(prompt === undefined ? {} : { prompt_id: prompt }),
      pre_call_webhook: {
        enabled: true,
        url: assistant.url,
        auth: authBody(assistant.auth),
        ...(assistant.headers ? { headers: assistant.headers } : {}),
      },
    },
  });
  return idIn(data);
}

const idIn = (data: unknown): string => (isFields(data) ? textIn(data, "id") : "");

function authBody(auth: Auth): Record<string, string> {
  switch (auth.type) {
    case "none":
      return { type: auth.type };
    case "bearer":
      return { type: auth.type, secret: auth.secret };
    case "basic":
      return { type: auth.type, username: auth.username, password: auth.secret };
    case "api_key":
      return { type: auth.type, header_name: auth.headerName, secret: auth.secret };
  }
}
