import type { Emulator } from "../../src/emulator/index.js";
import { connectedTo, type RunOptions, type TestIo } from "./cli.js";

/** Presses Ctrl-C when a command sends its `nth` group of requests. */
export function interruptedAt(emulator: Emulator, nth: number): RunOptions {
  let io: TestIo | undefined;
  let sent = 0;
  return {
    before: (given) => {
      io = given;
    },
    overrides: {
      ...connectedTo(emulator),
      onJournalStep: (step) => {
        if (step === "sent") sent += 1;
        if (step === "sent" && sent === nth) io?.signal("SIGINT");
      },
    },
  };
}
