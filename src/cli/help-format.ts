import type { Help, Command as Parser } from "commander";
import { commonFlags, flagsHeading, globalHeading, type HelpParts } from "./help-layout.js";
import type { Command, CommandGroup } from "./session/command.js";

export function buildHelpParts(command: Parser, helper: Help, node: Command | CommandGroup): HelpParts {
  const commands = helper.groupItems(
    [...command.commands],
    helper.visibleCommands(command),
    () => "Commands:",
  );
  const options = helper.groupItems(
    [...command.options],
    helper.visibleOptions(command),
    (option) => option.helpGroupHeading ?? flagsHeading,
  );
  const block = <T>(
    heading: string,
    items: readonly T[],
    item: (entry: T) => readonly [string, string],
  ): HelpParts["blocks"][number] => [heading, items.map(item)];
  return {
    usage: helper.commandUsage(command),
    examples: node.examples ?? [],
    description: helper.commandDescription(command),
    blocks: [
      ...[...commands].map(([heading, members]) =>
        block(heading, members, (entry) => [
          helper.subcommandTerm(entry),
          helper.subcommandDescription(entry),
        ]),
      ),
      block("Arguments:", helper.visibleArguments(command), (entry) => [
        helper.argumentTerm(entry),
        helper.argumentDescription(entry),
      ]),
      ...[...options].map(([heading, members]) =>
        block(heading, members, (entry) => [helper.optionTerm(entry), helper.optionDescription(entry)]),
      ),
    ],
    globals: listGlobalFlags(command),
  };
}

function listGlobalFlags(command: Parser): string[] {
  const names = command.options
    .filter(({ helpGroupHeading }) => helpGroupHeading === globalHeading)
    .flatMap(({ long }) => (long ? [long] : []));
  // Also list global flags that are called `--global-NAME` because the command has its own flag NAME.
  return names.filter((name) => commonFlags.includes(name) || name.startsWith("--global-"));
}
