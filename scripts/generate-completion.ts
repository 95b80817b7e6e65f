// Generates the table of commands for shell completion. The table must be small, because voxctl reads it each
// time the user presses Tab.

import { topics } from "../src/cli/commands/help/topics.js";
import type {
  CompletionArgument,
  CompletionFlag,
  CompletionNode,
  CompletionTree,
} from "../src/cli/completion/complete.js";
import type { CommandTree } from "../src/cli/session/command-tree.js";
import { formats, globalFlags } from "../src/cli/session/globals.js";
import type { Argument, Flag } from "../src/cli/session/input.js";
import { catalog } from "../src/emulator/rules/catalog.js";

const groupTypes: Readonly<Record<string, string>> = {
  contacts: "contacts",
  knowledge: "knowledges",
  forwardings: "forwardings",
  glossary: "glossaries",
  pronunciation: "pronunciations",
};

/** Sources of completion values by the name of the flag or argument, for every command. */
const named: Readonly<Record<string, string>> = {
  assistant: "assistants.list",
  voice: "voices.list",
  prompt: "prompts.list?kind=answering",
  "email-prompt": "prompts.list?kind=email",
  "knowledge-group": "groups.list?type=knowledges",
  "glossary-group": "groups.list?type=glossaries",
  "pronunciation-group": "groups.list?type=pronunciations",
  "forwarding-group": "groups.list?type=forwardings",
  calendar: "calendars.list",
  tool: "tools.list",
  call: "calls.list",
  contact: "contacts.list",
  organization: "orgs.list",
  msp: "orgs.list?type=msp",
  parent: "orgs.list?type=msp",
  partner: "partners.list",
  customer: "customers.list",
  "external-partner": "partners.list",
  "external-customer": "customers.list",
  profile: "profiles",
  run: "runs",
  alias: "aliases",
  command: "command-line",
  "command-line": "command-line",
};
const files = /^(file|file\|-|directory|plan|spec|suite|contract|recordings?|before|after)$/;

/** Returns the command tree without the data for help. */
export function completionTree(tree: CommandTree): CompletionTree {
  return {
    ...toCompletionNode(tree),
    globalFlags: globalFlags.map((flag) => flagOf(flag, "")),
    topics: Object.keys(topics).map((name) => ({ name, summary: "a topic" })),
  };
}

function toCompletionNode({
  name,
  path,
  aliases,
  summary,
  commands,
  flags,
  ...behavior
}: CommandTree): CompletionNode {
  const [resource = ""] = path;
  const shown = commands.filter(({ hidden }) => !hidden);
  return {
    name,
    summary,
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(shown.length > 0 ? { commands: shown.map(toCompletionNode) } : {}),
    ...(flags.length > 0
      ? { flags: flags.filter(({ hidden }) => !hidden).map((flag) => flagOf(flag, resource)) }
      : {}),
    ...(behavior.arguments.length > 0
      ? { arguments: behavior.arguments.map((argument) => argumentOf(argument, path)) }
      : {}),
  };
}

function flagOf({ name, short, value, description, ...flag }: Flag, resource: string): CompletionFlag {
  const of = name === "group" ? groupsOf(resource) : named[name];
  return {
    name,
    summary: description,
    ...(short === undefined ? {} : { short }),
    ...(value === undefined || flag.joined ? {} : { value: true }),
    ...(flag.choices ? { choices: flag.choices } : {}),
    ...(flag.repeatable ? { repeatable: true } : {}),
    ...(flag.negatable ? { negatable: true } : {}),
    ...(flag.joined ? { joined: true } : {}),
    ...(value === undefined ? {} : sourceOf(value, of)),
  };
}

function sourceOf(value: string, of: string | undefined): { of?: string } {
  if (files.test(value)) return { of: "files" };
  if (/(^|\|)@file(\||$)/.test(value)) return { of: "at-files" };
  return of === undefined ? {} : { of };
}

function argumentOf({ name, variadic, choices }: Argument, path: readonly string[]): CompletionArgument {
  const more = variadic ? { variadic: true } : {};
  if (choices) return { choices, ...more };
  const [resource = "", verb = ""] = path;
  if (resource === "profiles" && verb === "set" && name === "default")
    return { choices: ["country=", "group=", ...formats.map((format) => `output=${format}`)], ...more };
  if (resource === "profiles") return verb === "add" ? more : { of: "profiles", ...more };
  if (resource === "help") return { of: "commands", ...more };
  if (files.test(name)) return { of: "files", ...more };
  if (resource === "groups") return { of: "groups.list", ...more };
  const own = ["knowledge-item", "item", "glossary", "pronunciation", "forwarding", "prompt", "voice"];
  if (own.includes(name)) return { of: `${resource}.list`, ...more };
  if (resource === "emulator" && name === "rule") return { choices: [...catalog.keys()], ...more };
  const of = named[name];
  return { ...(of === undefined ? {} : { of }), ...more };
}

function groupsOf(resource: string): string {
  const type = groupTypes[resource];
  return type === undefined ? "groups.list" : `groups.list?type=${type}`;
}
