import type { Client } from "../../../client/types.js";
import { isFields, textIn } from "../../output/fields.js";
import type { Session } from "../../session/session.js";
import { openThrowAwayWorld } from "../../session/throw-away-world.js";
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
}

/**
 * A world that lasts as long as the command, with one assistant whose webhook leads to a receiver on this machine: what
 * is sent is what the emulator sends, and no world that anybody keeps is touched.
 */
export async function openRehearsal(session: Session, assistant: Rehearsing): Promise<Rehearsal> {
  const { emulator, control, client, createAssistant } = await openThrowAwayWorld(session);
  const id = await createAssistant({
    name: assistant.name,
    ...(assistant.prompt === undefined ? {} : { prompt_id: await createPrompt(client, assistant.prompt) }),
    pre_call_webhook: { enabled: true, url: assistant.url, auth: authBody(assistant.auth) },
  });
  return {
    async call(from) {
      // A call takes its line until it is over.
      await emulator.clock.sleep(600_000);
      const { webhook, prompt } = await control("incomingCalls.create", { body: { assistant_id: id, from } });
      return { error: webhook?.error ?? undefined, prompt: prompt ?? undefined };
    },
    close: () => emulator.close(),
  };
}

async function createPrompt(client: Client, text: string): Promise<string> {
  const { data } = await client.call("prompts.create", {
    body: { name: "Rehearsed", kind: "answering", text },
  });
  return isFields(data) ? textIn(data, "id") : "";
}

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
