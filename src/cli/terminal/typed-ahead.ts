import type { Io } from "../../base/io.js";
import { interruptedError } from "../errors/errors.js";

/**
 * Time without input, in milliseconds, after which all earlier input has arrived. On some systems, Node.js
 * reads the terminal in a separate thread, so input can arrive late.
 */
const quietMilliseconds = 50;

/**
 * Drops input that was typed before a confirmation is shown, because it is not a reply.
 * @throws interrupted error (130) after Ctrl-C; the signal's reason if aborted
 */
export async function dropTypedAhead({ stdin }: Io, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let isInterrupted = false;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stdin.off("data", drop);
      stdin.off("end", end);
      signal.removeEventListener("abort", end);
      stdin.pause();
      setRawMode(stdin, false);
      resolve();
    };
    const timer = setTimeout(end, quietMilliseconds);
    const drop = (chunk: Buffer | string) => {
      isInterrupted ||= chunk.toString().includes("\u0003");
      timer.refresh();
    };
    signal.addEventListener("abort", end, { once: true });
    // Without raw mode, a line could be read only after the user has pressed Enter.
    setRawMode(stdin, true);
    stdin.on("data", drop);
    stdin.once("end", end);
    stdin.resume();
  });
  signal.throwIfAborted();
  if (isInterrupted) throw interruptedError("SIGINT");
}

export function setRawMode(stdin: Io["stdin"], on: boolean): void {
  if ("setRawMode" in stdin && typeof stdin.setRawMode === "function") stdin.setRawMode(on);
}
