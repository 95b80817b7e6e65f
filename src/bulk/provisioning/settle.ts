import type { RunContext } from "../engine/run.js";

/** Waits until a request whose answer was lost can no longer arrive. */
export async function settleLost(
  { clock, signal, settleMilliseconds, listener }: RunContext,
  lost: number,
): Promise<void> {
  listener.reconciling(lost, settleMilliseconds);
  if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
}
