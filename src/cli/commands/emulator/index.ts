import type { Command, CommandGroup, LazyCommand } from "../../session/command.js";

/** Commands below one name, loaded when one of them is meant. */
function createGroup(name: string, summary: string, load: () => Promise<readonly Command[]>): LazyCommand {
  return { name, summary, load: async () => ({ name, summary, commands: await load() }) };
}

/** `voxctl emulator …`, each by itself: a server starts without all that steers one. */
export const emulator: CommandGroup = {
  name: "emulator",
  summary: "Run and steer a local world of the whole service",
  commands: [
    {
      name: "start",
      summary: "Serve a local world of the whole service over HTTP",
      load: async () => (await import("./start.js")).emulatorStart,
    },
    {
      name: "exec",
      summary: "Run a program beside a throw-away emulator, and end with its exit code",
      load: async () => (await import("./exec.js")).exec,
    },
    {
      name: "env",
      summary: "Print the variables by which a program, or voxctl, uses a running emulator",
      load: async () => (await import("./env.js")).env,
    },
    {
      name: "stop",
      summary: "Stop the server of a world",
      load: async () => (await import("./stop.js")).stopCommand,
    },
    {
      name: "status",
      summary: "Show a world: its server, clock and what is in it",
      load: async () => (await import("./status.js")).statusCommand,
    },
    {
      name: "reset",
      summary: "Empty a world and fill it anew; the keys that it began with stay",
      load: async () => (await import("./reset.js")).resetCommand,
    },
    {
      name: "logs",
      summary: "Show the last requests, newest first, or one with its bodies",
      load: async () => (await import("./logs.js")).logs,
    },
    {
      name: "explain",
      summary: "Explain a rule of the service by the id that answers and errors name",
      load: async () => (await import("./explain.js")).explain,
    },
    {
      name: "incoming-call",
      summary: "Let a caller ring an assistant: fires its pre-call webhook and fills @preCallData",
      load: async () => (await import("./incoming-call.js")).incomingCall,
    },
    {
      name: "clock",
      summary: "Show or move the emulator's clock",
      load: async () => (await import("./clock.js")).clock,
    },
    {
      name: "control",
      summary: "Make any call of the emulator's control interface",
      load: async () => (await import("./control-call.js")).controlCall,
    },
    createGroup("keys", "The world's keys", async () => (await import("./keys.js")).keyCommands),
    createGroup(
      "faults",
      "Make things go wrong on purpose",
      async () => (await import("./faults.js")).faultCommands,
    ),
    createGroup(
      "snapshots",
      "Keep the world, and bring it back",
      async () => (await import("./snapshots.js")).snapshotCommands,
    ),
  ],
};
