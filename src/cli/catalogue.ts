import type { CommandGroup, LazyCommand } from "./command.js";
import type { ResourcePresentation } from "./presentation/presentation.js";

const sections = { resources: "Resources", tools: "Working with voxctl" } as const;

/** A resource whose commands are derived from the contract. */
function resource(name: string, summary: string, load: () => Promise<ResourcePresentation>): LazyCommand {
  return {
    name,
    summary,
    section: sections.resources,
    load: async () => {
      const [{ resourceCommands }, presentation] = await Promise.all([
        import("./derive/resource.js"),
        load(),
      ]);
      return resourceCommands(presentation);
    },
  };
}

/** A command written by hand. */
function tool(name: string, summary: string, load: LazyCommand["load"]): LazyCommand {
  return { name, summary, section: sections.tools, load };
}

/** Every command by name and summary; what it does is loaded when it is used. A new resource is one line here. */
export const catalogue: CommandGroup = {
  name: "voxctl",
  summary: "The command line of a voice-assistant service",
  description: "The command line of a voice-assistant service, with a local emulator of it.",
  commands: [
    resource(
      "contacts",
      "who calls and who is called; import from a file",
      async () => (await import("./presentation/contacts.js")).contacts,
    ),
    resource(
      "groups",
      "what contacts, knowledge, forwardings and more are kept in",
      async () => (await import("./presentation/groups.js")).groups,
    ),
    resource(
      "assistants",
      "who answers the phone, and with what; their pre-call webhooks",
      async () => (await import("./presentation/assistants.js")).assistants,
    ),
    resource(
      "prompts",
      "what assistants are told to do",
      async () => (await import("./presentation/prompts.js")).prompts,
    ),
    resource(
      "voices",
      "what assistants can sound like",
      async () => (await import("./presentation/voices.js")).voices,
    ),
    tool(
      "ping",
      "check that the service answers and the key is good",
      async () => (await import("./commands/ping.js")).ping,
    ),
    tool(
      "api",
      "any request, with the profile's key, pacing and output",
      async () => (await import("./commands/api.js")).api,
    ),
    tool(
      "profiles",
      "deployments and their keys",
      async () => (await import("./commands/profiles.js")).profiles,
    ),
    tool(
      "emulator",
      "a local world of the whole service, to run and to steer",
      async () => (await import("./commands/emulator.js")).emulator,
    ),
    tool(
      "demo",
      "an office's contact list imported, in a throw-away world",
      async () => (await import("./commands/demo.js")).demo,
    ),
    tool(
      "help",
      "what a command does; also help exit-codes, environment, output",
      async () => (await import("./commands/help.js")).help,
    ),
  ],
};
