import type { CommandGroup } from "../../session/command.js";
import { assistantCommands, callCommands, incomingCall, voiceCommands } from "./assistants.js";
import { clockCommands } from "./clock.js";
import { env } from "./env.js";
import { exec } from "./exec.js";
import { coverage, explain } from "./explain.js";
import { faultCommands } from "./faults.js";
import { inspectCommands } from "./inspect.js";
import { keyCommands } from "./keys.js";
import { list } from "./list.js";
import { logs } from "./logs.js";
import { distributorCommands, organizationCommands } from "./organizations.js";
import { resetCommand } from "./reset.js";
import { snapshotCommands } from "./snapshots.js";
import { emulatorStart } from "./start.js";
import { statusCommand } from "./status.js";
import { stopCommand } from "./stop.js";
import { ui } from "./ui.js";

/** `voxctl emulator …` */
export const emulator: CommandGroup = {
  name: "emulator",
  summary: "Run and steer a local world of the whole service",
  commands: [
    emulatorStart,
    exec,
    list,
    env,
    stopCommand,
    statusCommand,
    resetCommand,
    ui,
    logs,
    ...inspectCommands,
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
