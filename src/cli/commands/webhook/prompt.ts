import type { Client } from "../../../client/types.js";
import { usageError } from "../../errors/errors.js";
import { isFields, textIn } from "../../output/fields.js";
import { promptOf } from "../../session/references/prompt.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";

/** A prompt's text, by its id. */
export async function promptText(client: Client, id: string, signal?: AbortSignal): Promise<string> {
  const { data } = await client.call("prompts.get", { path: { prompt_id: id } }, signal ? { signal } : {});
  return isFields(data) ? textIn(data, "text") : "";
}

/**
 * The text of the prompt that a person named.
 * @throws not found (4), usage error (2) for one that uses no webhook's answer
 */
export async function namedPrompt(session: Session, named: string): Promise<string> {
  const { client } = await session.connect();
  const id = await resolveReference(client, promptOf("answering"), named, "--prompt", session);
  const text = await promptText(client, id, session.signal);
  if (!/@preCallData(?![A-Za-z0-9_])/.test(text))
    throw usageError(`--prompt: "${named}" does not say @preCallData, so no answer is read in it`);
  return text;
}
