import { describe, expect, test } from "vitest";
import { catalog } from "../../src/cli/catalog.js";
import { topics } from "../../src/cli/commands/help/topics.js";
import { toFlagName } from "../../src/cli/derive/field-flags.js";
import type { Command, CommandNode } from "../../src/cli/session/command.js";
import { operations } from "../../src/contract/contract.js";
import { commandLine } from "../helpers/cli.js";

interface CommandEntry {
  words: string[];
  command: Command;
}

async function findCommands(nodes: readonly CommandNode[], words: string[] = []): Promise<CommandEntry[]> {
  const entries: CommandEntry[] = [];
  for (const node of nodes) {
    const loaded = "load" in node ? await node.load() : node;
    const path = [...words, loaded.name];
    if ("commands" in loaded) entries.push(...(await findCommands(loaded.commands, path)));
    else entries.push({ words: path, command: loaded });
  }
  return entries;
}

const commands = await findCommands(catalog.commands);

describe("every command", () => {
  test.each(commands.map(({ words, command }) => [words.join(" "), command] as const))(
    "%s has a summary, an example and unique flags",
    (words, command) => {
      expect(command.summary).toMatch(/^[A-Z]/);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) expect(example.command).toContain(`voxctl ${words}`);
      // If a command has a flag such as --timeout, the global flag of that name is renamed.
      const names = (command.flags ?? []).map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
    },
  );

  test("a paragraph of a command's help has at most 400 characters", () => {
    const long = commands.flatMap(({ words, command }) =>
      (command.description ?? "")
        .split("\n\n")
        // Indented lines are examples of files.
        .filter((paragraph) => paragraph.length > 400 && !/^ {2}/m.test(paragraph))
        .map((paragraph) => `${words.join(" ")}: ${paragraph}`),
    );
    expect(long).toEqual([]);
  });

  test.each<[words: string, occasion: string, how?: string]>([
    ["licenses disable", "Asks for confirmation; "],
    ["orgs delete", "Asks for confirmation; "],
    ["emulator reset", "Asks for confirmation; "],
    ["runs undo", "Asks for confirmation; "],
    ["contacts sync", "Asks for confirmation before deletions; "],
    ["runs discard", "Asks for confirmation; ", "use --yes."],
    ["mirror delete", "Asks for confirmation; ", "use --yes."],
  ])(
    "the help of %s names the flags that confirm the command",
    async (words, occasion, how = "use --yes, or --confirm for production.") => {
      const { stdout } = await commandLine().run(...words.split(" "), "--help");
      const sentence = `${occasion}in scripts, ${how}`;
      expect(stdout.replace(/(?<!\n)\n(?!\n)/g, " ")).toContain(`\n\n${sentence}\n\n`);
    },
  );

  test("the help of `emulator keys` shows how to list keys and which organization gets a new key", async () => {
    const { run } = commandLine();
    expect((await run("emulator", "keys", "--help")).stdout).toMatch(/`voxctl emulator\s+control keys.list`/);
    const { stdout } = await run("emulator", "keys", "create", "--help");
    expect(stdout).toContain("The key is for the emulator's first organization");
  });

  test("the help never describes an argument as an ID without naming the resource", () => {
    const bare = commands.filter(({ command }) =>
      command.arguments?.some(({ description }) => description === "ID"),
    );
    expect(bare.map(({ words }) => words.join(" "))).toEqual([]);
  });

  test("help mentions a command's confirmation only once", () => {
    const twice = commands.filter(
      ({ command: { confirms = false, description = "" } }) =>
        confirms !== false && /asks|confirmation/.test(description),
    );
    expect(twice.map(({ words }) => words.join(" "))).toEqual([]);
  });

  test.each(commands.map(({ words }) => [words.join(" "), words] as const))(
    "%s prints its help",
    async (_, words) => {
      const { run } = commandLine();
      const shown = await run(...words, "--help");
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain("Examples:");
      expect(shown.stderr).toBe("");
    },
  );

  test("the list of subcommands shows each subcommand's own name and summary", async () => {
    const compare = async (nodes: readonly CommandNode[]): Promise<void> => {
      for (const node of nodes) {
        const loaded = "load" in node ? await node.load() : node;
        expect(loaded.name).toBe(node.name);
        // The list may append text to the summary.
        expect(node.summary.slice(0, loaded.summary.length)).toBe(loaded.summary);
        if ("commands" in loaded) await compare(loaded.commands);
      }
    };
    for (const node of catalog.commands) {
      const loaded = "load" in node ? await node.load() : node;
      expect(loaded.name).toBe(node.name);
      if ("commands" in loaded) await compare(loaded.commands);
    }
  });
});

describe("every operation of the contract", () => {
  /** Commands whose operation has a different name. */
  const renamed: Readonly<Record<string, string>> = {
    "calls.trigger": "calls.create",
    "calls.recording.download": "calls.recording.get",
  };
  /** Operations that a command of another resource serves. */
  const elsewhere = new Set(["partners.usage", "partners.billing", "orgs.tree", "legacy.health"]);
  const names = commands.map(({ words }) => renamed[words.join(".")] ?? words.join("."));

  const resources = new Set(commands.map(({ words }) => words[0]));
  const present = Object.keys(operations).filter(
    (name) => resources.has(name.split(".")[0]) && !elsewhere.has(name),
  );

  test.each(present)("the operation %s has a command", (name) => {
    // `usage` is itself a command, not a resource with commands.
    const [resource = ""] = name.split(".");
    expect(names.includes(name) || names.includes(resource)).toBe(true);
  });
});

describe("the flag of a field", () => {
  test.each([
    ["group_id", "text", true, "group"],
    ["knowledge_group_ids", "texts", true, "knowledge-group"],
    ["externalLicenseId", "text", false, "external-license-id"],
    ["parentOrganizationId", "text", true, "parent-organization"],
    ["phone_numbers", "texts", false, "phone-number"],
    ["first_name", "text", false, "first-name"],
  ] as const)("the request field %s (%s) has the flag --%s", (name, fieldType, reference, flag) => {
    expect(toFlagName({ name, type: fieldType }, reference)).toBe(flag);
  });
});

test.each(Object.keys(topics))("help %s fits a terminal of 80 columns", async (topic) => {
  const { stdout } = await commandLine().run("help", topic);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
