import type { Rules } from "./rule.js";

/** The emulator's own promises. */
export const emulatorRules: Rules = {
  "emulator.control": {
    text: "The control interface is closed without its token, and to foreign origins and hosts.",
    refuses: true,
  },
  "emulator.snapshots": "A restored snapshot is the world as it was, its clock included.",
  "emulator.log": "The request log holds no secret.",
  "emulator.explain": "Every answer of 400 and above names the rule that decided it.",
  "emulator.faults": "A fault strikes where it was aimed, as often as it was asked to, and then no more.",
  "emulator.clock": "Many small steps of the clock and one large one end in the same world.",
  "emulator.durable": "A write that was acknowledged survives a SIGKILL.",
  "mirror.unknown-field":
    "A copy of an organization refuses a write of a field that its service shows and the contract does not know.",
};
