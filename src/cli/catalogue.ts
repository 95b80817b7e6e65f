import type { Noun } from "./derive/noun.js";
import type { CommandGroup, LazyCommand } from "./session/command.js";

const sections = { resources: "Resources", tools: "Working with voxctl" } as const;

/** A resource whose commands are derived from the contract. */
function resource(name: string, summary: string, load: () => Promise<Noun>): LazyCommand {
  return {
    name,
    summary,
    section: sections.resources,
    load: async () => {
      const [{ resourceCommands }, noun] = await Promise.all([import("./derive/resource.js"), load()]);
      return resourceCommands(noun);
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
  examples: [
    { command: "voxctl contacts list", note: "works at once, offline, in the embedded emulator" },
    { command: "voxctl profiles add acme --url https://voice.example.com/api/v1", note: "your service" },
    { command: "voxctl help environment", note: "which profile is used when" },
  ],
  commands: [
    resource(
      "contacts",
      "who calls and who is called; import from a file",
      async () => (await import("./commands/contacts/index.js")).contacts,
    ),
    resource(
      "groups",
      "what contacts, knowledge, forwardings and more are kept in",
      async () => (await import("./commands/groups/index.js")).groups,
    ),
    resource(
      "assistants",
      "who answers the phone, and with what; their pre-call webhooks",
      async () => (await import("./commands/assistants/index.js")).assistants,
    ),
    resource(
      "prompts",
      "what assistants are told to do",
      async () => (await import("./commands/prompts/index.js")).prompts,
    ),
    resource(
      "voices",
      "what assistants can sound like",
      async () => (await import("./commands/voices/index.js")).voices,
    ),
    resource(
      "knowledge",
      "texts that assistants answer from; import a folder of them",
      async () => (await import("./commands/knowledge/index.js")).knowledge,
    ),
    resource(
      "forwardings",
      "whom assistants put callers through to",
      async () => (await import("./commands/forwardings/index.js")).forwardings,
    ),
    resource(
      "glossary",
      "terms and abbreviations that assistants know",
      async () => (await import("./commands/glossary/index.js")).glossary,
    ),
    resource(
      "pronunciation",
      "how assistants speak a written word",
      async () => (await import("./commands/pronunciation/index.js")).pronunciation,
    ),
    resource(
      "calendars",
      "opening, service, office and operating hours",
      async () => (await import("./commands/calendars/index.js")).calendars,
    ),
    resource(
      "tools",
      "webhooks that assistants call during a call",
      async () => (await import("./commands/tools/index.js")).tools,
    ),
    resource(
      "orgs",
      "a distributor's MSPs and customers; provision them from a plan",
      async () => (await import("./commands/orgs/index.js")).orgs,
    ),
    {
      name: "licenses",
      summary: "of MSPs, which their customers hold",
      section: sections.resources,
      load: async () => (await import("./commands/licenses/index.js")).licenses,
    },
    {
      name: "usage",
      summary: "what a distributor's organizations called, by day",
      section: sections.resources,
      load: async () => (await import("./commands/usage/index.js")).usage,
    },
    {
      name: "billing",
      summary: "what a distributor's organizations are billed for a month",
      section: sections.resources,
      load: async () => (await import("./commands/billing/index.js")).billing,
    },
    resource(
      "partners",
      "distributor v1: partners, their usage and billing",
      async () => (await import("./commands/partners/index.js")).partners,
    ),
    resource(
      "customers",
      "distributor v1: customers of partners, and their plans",
      async () => (await import("./commands/customers/index.js")).customers,
    ),
    resource(
      "legacy",
      "the legacy outbound-call interface",
      async () => (await import("./commands/legacy/index.js")).legacy,
    ),
    resource(
      "calls",
      "have an assistant call; what was said, and its recording",
      async () => (await import("./commands/calls/index.js")).calls,
    ),
    resource(
      "stats",
      "how much was called: by day, week, month and hour",
      async () => (await import("./commands/stats/index.js")).stats,
    ),
    tool(
      "ping",
      "check that the service answers and the key is good",
      async () => (await import("./commands/ping/index.js")).ping,
    ),
    tool(
      "api",
      "any request, with the profile's key, pacing and output",
      async () => (await import("./commands/api/index.js")).api,
    ),
    tool(
      "profiles",
      "deployments and their keys",
      async () => (await import("./commands/profiles/index.js")).profiles,
    ),
    tool(
      "emulator",
      "a local world of the whole service, to run and to steer",
      async () => (await import("./commands/emulator/index.js")).emulator,
    ),
    tool(
      "webhook",
      "for whoever writes the service behind a pre-call webhook",
      async () => (await import("./commands/webhook/index.js")).webhook,
    ),
    tool(
      "demo",
      "an office's contact list imported, in a throw-away world",
      async () => (await import("./commands/demo/index.js")).demo,
    ),
    tool(
      "mcp",
      "the Public API as tools for an AI assistant, over stdio",
      async () => (await import("./commands/mcp/index.js")).mcp,
    ),
    tool(
      "mirror",
      "copies of an organization on this machine, to rehearse on",
      async () => (await import("./commands/mirror/index.js")).mirror,
    ),
    tool(
      "plan",
      "what a bulk command is going to do, sealed in a file",
      async () => (await import("./commands/plan/index.js")).plan,
    ),
    tool(
      "config",
      "assistants and what they use as files in git: pull, plan, apply",
      async () => (await import("./commands/config/index.js")).config,
    ),
    tool(
      "rehearse",
      "run a command against a copy of the organization, and see what it would do",
      async () => (await import("./commands/rehearse/index.js")).rehearse,
    ),
    tool("apply", "carry out a plan", async () => (await import("./commands/plan/apply.js")).apply),
    tool(
      "runs",
      "bulk runs: what they did, going on with them, undoing them",
      async () => (await import("./commands/runs/index.js")).runs,
    ),
    tool(
      "report",
      "a month in figures: calls, usage, billing; to read, to check, to send",
      async () => (await import("./commands/report/index.js")).report,
    ),
    tool(
      "subject",
      "one caller's personal data: find, export, erase",
      async () => (await import("./commands/subject/index.js")).subject,
    ),
    tool(
      "lint",
      "look for what is wrong with an organization",
      async () => (await import("./commands/lint/index.js")).lint,
    ),
    tool(
      "schema",
      "JSON Schemas of the files that voxctl reads, for an editor",
      async () => (await import("./commands/schema/index.js")).schema,
    ),
    tool(
      "doctor",
      "look whether everything is in order: this machine, the profile, the service",
      async () => (await import("./commands/doctor/index.js")).doctor,
    ),
    tool(
      "open",
      "the service's documentation, or the emulator's page, in a browser",
      async () => (await import("./commands/open/index.js")).open,
    ),
    tool(
      "alias",
      "names for command lines that are typed often",
      async () => (await import("./commands/alias/index.js")).alias,
    ),
    tool(
      "completion",
      "what Tab does in bash, zsh, fish and PowerShell",
      async () => (await import("./commands/completion/index.js")).completion,
    ),
    tool(
      "commands",
      "every command with its flags and examples; -o json for tools",
      async () => (await import("./commands/commands/index.js")).commands,
    ),
    tool(
      "version",
      "voxctl's version, Node's and this system's",
      async () => (await import("./commands/version/index.js")).versionCommand,
    ),
    tool(
      "help",
      "what a command does; also help exit-codes, environment, output, imports, flags",
      async () => (await import("./commands/help/index.js")).help,
    ),
  ],
};
