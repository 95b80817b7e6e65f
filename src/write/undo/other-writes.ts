import { ClientError } from "../../client/errors.js";
import type { RunContext } from "../engine/context.js";
import { noteOtherWrite, type OtherWrite } from "../journal/authors.js";
import type { Journal } from "../journal/journal.js";

/**
 * Sends and journals a write that is not an item of the run.
 * @throws the error that `send` throws
 */
export async function sendOther(
  { machineClock }: Pick<RunContext, "machineClock">,
  journal: Journal,
  write: Pick<OtherWrite, "operation" | "id">,
  send: () => Promise<unknown>,
): Promise<void> {
  const sent = { ...write, at: machineClock.now() };
  noteOtherWrite(journal, { ...sent, outcome: "unconfirmed" });
  try {
    await send();
  } catch (error) {
    if (error instanceof ClientError && error.outcome !== "unknown")
      noteOtherWrite(journal, { ...sent, outcome: "failed" });
    throw error;
  }
  noteOtherWrite(journal, { ...sent, outcome: "done" });
}
