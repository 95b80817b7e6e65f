import { E164 } from "../../../contract/primitives.js";
import { usageError } from "../../errors/errors.js";
import { parseCount, parseDuration } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { readAssistant } from "./assistant.js";
import type { Auth } from "./checks.js";
import { promptText } from "./prompt.js";
import { openRehearsal } from "./rehearsal.js";

const usualCaller = "+4915112345678";

export const emulateFlags: readonly Flag[] = [
  {
    name: "emulate",
    value: "assistant",
    description: "let a caller ring this assistant, in a throw-away world whose webhook leads here",
  },
  { name: "from", value: "number", description: "with --emulate: who calls", default: usualCaller },
  { name: "count", value: "n", description: "with --emulate: how often", default: "1" },
  { name: "every", value: "duration", description: "with --emulate: the pause between calls", default: "1s" },
];

/** The callee, the caller and the number of calls. */
export interface Emulation {
  assistant: string;
  /** The assistant's prompt; undefined where it has none. */
  prompt: string | undefined;
  from: string;
  count: number;
  pauseMilliseconds: number;
}

/**
 * The options of `--emulate`; undefined without it.
 * @throws usage error (2), not found (4)
 */
export async function readEmulation(session: Session, input: Input): Promise<Emulation | undefined> {
  const named = input.text("emulate");
  if (named === undefined) {
    const stray = ["from", "count", "every"].find((name) => input.has(name));
    if (stray !== undefined) throw usageError(`--${stray} needs --emulate`);
    return undefined;
  }
  const from = callerOf(input.text("from") ?? usualCaller);
  const count = parseCount(input.text("count") ?? "1", "--count");
  const pauseMilliseconds = parseDuration(input.text("every") ?? "1s", "--every");
  const { client, name, promptId } = await readAssistant(session, named, "--emulate");
  const prompt = promptId === undefined ? undefined : await promptText(client, promptId, session.signal);
  return { assistant: name, prompt, from, count, pauseMilliseconds };
}

/** Calls the assistant, each time as the emulator would. */
export async function emulate(
  session: Session,
  { assistant, prompt, from, count, pauseMilliseconds }: Emulation,
  { url, auth, until }: { url: string; auth: Auth; until: AbortSignal },
): Promise<void> {
  const rehearsal = await openRehearsal(session, { name: assistant, prompt, url, auth });
  try {
    for (let made = 0; made < count && !until.aborted; made += 1) {
      if (made > 0) await session.clock.sleep(pauseMilliseconds, until).catch(() => {});
      if (until.aborted) break;
      const { error } = await rehearsal.call(from);
      if (error !== undefined) session.notes.warn(`the assistant got no answer that counts: ${error}`);
    }
  } finally {
    await rehearsal.close();
  }
}

/** @throws usage error (2) */
export function callerOf(number: string): string {
  if (!E164.safeParse(number).success)
    throw usageError(`--from: "${number}" is no number like ${usualCaller}`);
  return number;
}
