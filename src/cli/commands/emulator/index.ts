import type { Command, CommandGroup, LazyCommand } from "../../session/command.js";

/** Commands below one name, loaded when one of them is meant. */
function group(name: string, summary: string, load: () => Promise<readonly Command[]>): LazyCommand {
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
      name: "list",
      summary: "List the emulators of yours that run on this machine",
      load: async () => (await import("./list.js")).list,
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
      name: "ui",
      summary: "Print a link to the page of a running emulator",
      load: async () => (await import("./ui.js")).ui,
    },
    {
      name: "logs",
      summary: "Show the last requests, newest first",
      load: async () => (await import("./logs.js")).logs,
    },
    {
      name: "errors",
      summary:
        "Group the requests that were answered with 400 and above, by operation and rule, the last first",
      load: async () => (await import("./inspect.js")).errors,
    },
    {
      name: "request",
      summary: "Show a request of the log with headers and bodies, secrets masked",
      load: async () => (await import("./inspect.js")).request,
    },
    {
      name: "webhooks",
      summary: "List what incoming calls asked webhooks, newest first",
      load: async () => (await import("./inspect.js")).webhooks,
    },
    {
      name: "limits",
      summary: "Show what is left of every limit now, by key and bucket",
      load: async () => (await import("./inspect.js")).limits,
    },
    {
      name: "rows",
      summary: "Look into a table of the world's file, newest rows first",
      load: async () => (await import("./inspect.js")).rows,
    },
    {
      name: "explain",
      summary: "Explain a rule of the service by the id that answers and errors name",
      load: async () => (await import("./explain.js")).explain,
    },
    {
      name: "coverage",
      summary: "Which rules the requests in the log have met, and which not",
      load: async () => (await import("./explain.js")).coverage,
    },
    {
      name: "incoming-call",
      summary: "Let a caller ring an assistant: fires its pre-call webhook and fills @preCallData",
      load: async () => (await import("./assistants.js")).incomingCall,
    },
    group("clock", "Show and move the world's time", async () => (await import("./clock.js")).clockCommands),
    group("keys", "The world's keys", async () => (await import("./keys.js")).keyCommands),
    group(
      "faults",
      "Make things go wrong on purpose",
      async () => (await import("./faults.js")).faultCommands,
    ),
    group(
      "snapshots",
      "Keep the world, and bring it back",
      async () => (await import("./snapshots.js")).snapshotCommands,
    ),
    group(
      "organizations",
      "The world's organizations",
      async () => (await import("./organizations.js")).organizationCommands,
    ),
    group(
      "distributors",
      "The world's distributors",
      async () => (await import("./organizations.js")).distributorCommands,
    ),
    group(
      "assistants",
      "What of assistants only the emulator can set",
      async () => (await import("./assistants.js")).assistantCommands,
    ),
    group("voices", "The world's voices", async () => (await import("./assistants.js")).voiceCommands),
    group(
      "calls",
      "Calls of the past, and what the emulator knows of one",
      async () => (await import("./assistants.js")).callCommands,
    ),
  ],
};
