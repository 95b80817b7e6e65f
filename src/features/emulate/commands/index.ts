import type { Command, CommandGroup, LazyCommand } from "../../../cli/session/command.js";

function createGroup(name: string, summary: string, load: () => Promise<readonly Command[]>): LazyCommand {
  const description = `${summary}. To list or delete ${name}, run \`voxctl emulator control ${name}.list\` or \`${name}.delete\`.`;
  return { name, summary, load: async () => ({ name, summary, description, commands: await load() }) };
}

/** Each command is loaded separately, so that a server starts fast. */
export const emulator: CommandGroup = {
  name: "emulator",
  summary: "Run and control a local emulator of the service",
  commands: [
    {
      name: "start",
      summary: "Serve the emulator over HTTP",
      load: async () => (await import("./start.js")).emulatorStart,
    },
    {
      name: "exec",
      summary: "Run a program with a temporary emulator",
      load: async () => (await import("./exec.js")).exec,
    },
    {
      name: "env",
      summary: "Print environment variables for a running emulator",
      load: async () => (await import("./env.js")).env,
    },
    {
      name: "stop",
      summary: "Stop an emulator",
      load: async () => (await import("./stop.js")).stopCommand,
    },
    {
      name: "status",
      summary: "Show an emulator's server, clock and contents",
      load: async () => (await import("./status.js")).statusCommand,
    },
    {
      name: "reset",
      summary: "Reset an emulator to its initial data",
      load: async () => (await import("./reset.js")).resetCommand,
    },
    {
      name: "logs",
      summary: "Show recent requests, or one request in detail",
      load: async () => (await import("./logs.js")).logs,
    },
    {
      name: "explain",
      summary: "Explain the API rule that a response or error refers to",
      load: async () => (await import("./explain.js")).explain,
    },
    {
      name: "incoming-call",
      summary: "Simulate an incoming call and its pre-call webhook",
      load: async () => (await import("./incoming-call.js")).incomingCall,
    },
    {
      name: "clock",
      summary: "Show or move the emulator's clock",
      load: async () => (await import("./clock.js")).clock,
    },
    {
      name: "control",
      summary: "Send any request to the emulator's control interface",
      load: async () => (await import("./control-call.js")).controlCall,
    },
    createGroup("keys", "Manage an emulator's API keys", async () => (await import("./keys.js")).keyCommands),
    createGroup(
      "faults",
      "Simulate failures of the service",
      async () => (await import("./faults.js")).faultCommands,
    ),
    createGroup(
      "snapshots",
      "Save and restore the state of an emulator",
      async () => (await import("./snapshots.js")).snapshotCommands,
    ),
  ],
};
