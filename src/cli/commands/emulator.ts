import type { CommandGroup } from "../command.js";
import { assistantCommands, callCommands, incomingCall, voiceCommands } from "./emulator-assistants.js";
import { clockCommands } from "./emulator-clock.js";
import { env } from "./emulator-env.js";
import { exec } from "./emulator-exec.js";
import { coverage, explain } from "./emulator-explain.js";
import { faultCommands } from "./emulator-faults.js";
import { keyCommands } from "./emulator-keys.js";
import { list } from "./emulator-list.js";
import { logs } from "./emulator-logs.js";
import { lookCommands } from "./emulator-look.js";
import { distributorCommands, organizationCommands } from "./emulator-organizations.js";
import { serverCommands } from "./emulator-server.js";
import { snapshotCommands } from "./emulator-snapshots.js";
import { emulatorStart } from "./emulator-start.js";
import { ui } from "./emulator-ui.js";

/** `voxctl emulator …` */
export const emulator: CommandGroup = {
  name: "emulator",
  summary: "Run and steer a local world of the whole service",
  commands: [
    emulatorStart,
    exec,
    list,
    env,
    ...serverCommands,
    ui,
    logs,
    ...lookCommands,
    explain,
    coverage,
    incomingCall,
    { name: "clock", summary: "Show and move the world's time", commands: clockCommands },
    { name: "keys", summary: "The world's keys", commands: keyCommands },
    { name: "faults", summary: "Make things go wrong on purpose", commands: faultCommands },
    { name: "snapshots", summary: "Keep the world, and bring it back", commands: snapshotCommands },
    { name: "organizations", summary: "The world's organizations", commands: organizationCommands },
    { name: "distributors", summary: "The world's distributors", commands: distributorCommands },
    {
      name: "assistants",
      summary: "What of assistants only the emulator can set",
      commands: assistantCommands,
    },
    { name: "voices", summary: "The world's voices", commands: voiceCommands },
    { name: "calls", summary: "Calls of the past", commands: callCommands },
  ],
};
