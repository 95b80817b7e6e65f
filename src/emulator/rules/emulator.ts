import type { Rules } from "./rule.js";

/** The emulator's own guarantees. */
export const emulatorRules: Rules = {
  "emulator.control": {
    text: "The control interface is closed without its token, and to unknown origins and hosts.",
    refuses: true,
  },
  "emulator.snapshots": "Restoring a snapshot restores the emulator state and its clock.",
  "emulator.log": "The request log holds no secret.",
  "emulator.explain": "Every response of 400 and above names the API rule that decided it.",
  "emulator.faults": "A fault strikes where it was aimed, as often as it was asked to, and then no more.",
  "emulator.clock": "Many small steps of the clock and one large one result in the same state.",
  "emulator.durable": "A write that was acknowledged survives a SIGKILL.",
  "mirror.unknown-field":
    "A copy of an organization refuses a write of a field that its service shows and the contract does not know.",
};
