import type { Noun } from "./derive/noun.js";
import type { CommandGroup, LazyCommand } from "./session/command.js";

/** Returns a resource whose commands are derived from the contract. */
function resource(name: string, summary: string, load: () => Promise<Noun>): LazyCommand {
  return tool(name, summary, async () => {
    const [{ resourceCommands }, noun] = await Promise.all([import("./derive/resource.js"), load()]);
    return resourceCommands(noun);
  });
}

function tool(name: string, summary: string, load: LazyCommand["load"]): LazyCommand {
  return { name, summary, load };
}

/** A line at the end of the section lists the `minor` commands without summaries. */
function section(
  name: string,
  major: readonly LazyCommand[],
  minor: readonly LazyCommand[] = [],
  minorLabel = "Also",
): LazyCommand[] {
  return [
    ...major.map((command) => ({ ...command, section: name })),
    ...minor.map((command) => ({ ...command, section: name, minorLabel })),
  ];
}

/** To add a resource, add one entry here. Each command's code is loaded on use. */
export const catalog: CommandGroup = {
  name: "voxctl",
  summary: "Manage phone assistants, contacts and calls from the command line",
  examples: [{ command: "voxctl contacts list --profile offline" }],
  commands: [
    ...section("Get started", [
      tool(
        "demo",
        "Run a short demo on temporary data",
        async () => (await import("./commands/demo/index.js")).demo,
      ),
      tool(
        "profiles",
        "Manage connections and API keys",
        async () => (await import("./commands/profiles/index.js")).profiles,
      ),
      tool(
        "doctor",
        "Check the installation, profile and connection",
        async () => (await import("./commands/doctor/index.js")).doctor,
      ),
    ]),
    ...section(
      "Organization",
      [
        resource(
          "contacts",
          "Manage contacts; import, sync and deduplicate them",
          async () => (await import("./nouns/contacts/index.js")).contacts,
        ),
        resource(
          "groups",
          "Manage groups of contacts, knowledge and forwardings",
          async () => (await import("./nouns/groups.js")).groups,
        ),
        resource(
          "assistants",
          "Manage assistants and their pre-call webhooks",
          async () => (await import("./nouns/assistants/index.js")).assistants,
        ),
        resource(
          "prompts",
          "Manage assistant prompts",
          async () => (await import("./nouns/prompts/index.js")).prompts,
        ),
        resource(
          "knowledge",
          "Manage knowledge items; import a directory of texts",
          async () => (await import("./nouns/knowledge/index.js")).knowledge,
        ),
        resource(
          "calls",
          "Trigger, list, export and test calls",
          async () => (await import("./nouns/calls/index.js")).calls,
        ),
        resource("stats", "Show call statistics", async () => (await import("./nouns/stats/index.js")).stats),
      ],
      [
        resource(
          "calendars",
          "Manage opening, service and office hours",
          async () => (await import("./nouns/calendars/index.js")).calendars,
        ),
        resource(
          "forwardings",
          "Manage the destinations that assistants forward calls to",
          async () => (await import("./nouns/forwardings.js")).forwardings,
        ),
        resource(
          "glossary",
          "Manage the terms that assistants know",
          async () => (await import("./nouns/glossary/index.js")).glossary,
        ),
        resource(
          "legacy",
          "Use the legacy outbound-call API",
          async () => (await import("./nouns/legacy.js")).legacy,
        ),
        resource(
          "pronunciation",
          "Manage how assistants pronounce words",
          async () => (await import("./nouns/pronunciation/index.js")).pronunciation,
        ),
        resource(
          "tools",
          "Manage the webhooks that assistants use during a call",
          async () => (await import("./nouns/tools.js")).tools,
        ),
        resource(
          "voices",
          "List the voices that assistants can use",
          async () => (await import("./nouns/voices.js")).voices,
        ),
      ],
    ),
    ...section(
      "Distributors",
      [
        resource(
          "orgs",
          "Manage MSPs and customers; provision them from a file",
          async () => (await import("./nouns/orgs/index.js")).orgs,
        ),
        tool(
          "licenses",
          "Manage MSP licenses",
          async () => (await import("./nouns/licenses/index.js")).licenses,
        ),
        tool("usage", "Show call usage by day", async () => (await import("./nouns/usage/index.js")).usage),
        tool(
          "billing",
          "Show the billing summary for a month",
          async () => (await import("./nouns/billing/index.js")).billing,
        ),
      ],
      [
        resource(
          "customers",
          "Manage customers of partners",
          async () => (await import("./nouns/customers.js")).customers,
        ),
        resource("partners", "Manage partners", async () => (await import("./nouns/partners.js")).partners),
      ],
      "Also (distributor API v1)",
    ),
    ...section(
      "Bulk changes",
      [
        tool(
          "config",
          "Manage assistants as files in git: pull, plan and apply",
          async () => (await import("../features/config/commands/index.js")).config,
        ),
        tool(
          "rehearse",
          "Run a command against a copy of the organization",
          async () => (await import("../features/rehearse/commands/index.js")).rehearse,
        ),
        tool(
          "plan",
          "Show, check and apply plan files",
          async () => (await import("../features/plans/commands/index.js")).plan,
        ),
        tool(
          "runs",
          "List, resume and undo bulk runs",
          async () => (await import("../features/runs/commands/index.js")).runs,
        ),
        tool(
          "fleet",
          "Run a command for many organizations",
          async () => (await import("../features/fleet/commands/index.js")).fleet,
        ),
      ],
      [
        tool(
          "apply",
          "Apply a plan file",
          async () => (await import("../features/plans/commands/apply.js")).apply,
        ),
        tool(
          "mirror",
          "Manage local copies of an organization",
          async () => (await import("../features/mirror/commands/index.js")).mirror,
        ),
      ],
    ),
    ...section("Audits", [
      tool(
        "lint",
        "Find configuration problems",
        async () => (await import("../features/lint/commands/index.js")).lint,
      ),
      tool(
        "report",
        "Create the monthly report of calls, usage and billing",
        async () => (await import("../features/report/commands/index.js")).report,
      ),
      tool(
        "subject",
        "Find, export or erase a caller's personal data",
        async () => (await import("../features/subject/commands/index.js")).subject,
      ),
    ]),
    ...section(
      "Development",
      [
        tool(
          "emulator",
          "Run and control a local emulator of the service",
          async () => (await import("../features/emulate/commands/index.js")).emulator,
        ),
        tool(
          "webhook",
          "Develop and test a pre-call webhook",
          async () => (await import("../features/webhook/commands/index.js")).webhook,
        ),
        tool(
          "mcp",
          "Serve the Public API to AI assistants over MCP",
          async () => (await import("./commands/mcp/index.js")).mcp,
        ),
        tool(
          "api",
          "Send a request to any endpoint",
          async () => (await import("./commands/api/index.js")).api,
        ),
      ],
      [
        tool(
          "alias",
          "Define short names for command lines",
          async () => (await import("./commands/alias/index.js")).alias,
        ),
        tool(
          "commands",
          "List every command with its flags and examples",
          async () => (await import("./commands/commands/index.js")).commands,
        ),
        tool(
          "completion",
          "Set up shell completion",
          async () => (await import("./commands/completion/index.js")).completion,
        ),
        tool(
          "help",
          "Show the help for a command or explain a topic",
          async () => (await import("./commands/help/index.js")).help,
        ),
        tool(
          "open",
          "Open the documentation or the emulator's page in a browser",
          async () => (await import("./commands/open/index.js")).open,
        ),
        tool(
          "ping",
          "Check that the service responds and accepts the key",
          async () => (await import("./commands/ping/index.js")).ping,
        ),
        tool(
          "schema",
          "Print the JSON Schema of a file that voxctl reads",
          async () => (await import("./commands/schema/index.js")).schema,
        ),
        tool(
          "store",
          "Share runs with other machines through PostgreSQL",
          async () => (await import("../features/store/commands/index.js")).store,
        ),
        tool(
          "version",
          "Show version details of voxctl, Node.js and the system",
          async () => (await import("./commands/version/index.js")).versionCommand,
        ),
      ],
    ),
  ],
};
