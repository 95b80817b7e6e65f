import type { Rules } from "./rule.js";

export const emulatorRules: Rules = {
  "emulator.control": {
    text: "The control interface requires its token and refuses unknown origins and hosts.",
    refuses: true,
  },
  "emulator.snapshots": "Restoring a snapshot restores the emulator's state and clock.",
  "emulator.log": "The request log contains no secrets.",
  "emulator.explain": "Every response with status 400 or above names its API rule.",
  "emulator.faults": "A fault applies only to its target and only the specified number of times.",
  "emulator.clock": "Advancing the clock in many small steps or in one large step leads to the same state.",
  "emulator.durable": "An acknowledged write survives a SIGKILL.",
  "mirror.unknown-field":
    "A mirror refuses requests that set a field that the service returns but the contract doesn't define.",
};
