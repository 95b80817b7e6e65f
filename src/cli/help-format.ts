import type { Help, Command as Parser } from "commander";
import { flagsHeading, globalHeading, type HelpParts, oftenMeant } from "./help-layout.js";
import type { Command, CommandGroup } from "./session/command.js";

/** What the help of a command says, as the parser knows it. */
export function helpParts(command: Parser, helper: Help, node: Command | CommandGroup): HelpParts {
  const commands = helper.groupItems(
    [...command.commands],
    helper.visibleCommands(command),
    () => "Commands:",
  );
  const options = helper.groupItems(
    [...command.options],
    helper.visibleOptions(command),
    (one) => one.helpGroupHeading ?? flagsHeading,
  );
  const block = <T>(
    heading: string,
    ones: readonly T[],
    item: (one: T) => readonly [string, string],
  ): HelpParts["blocks"][number] => [heading, ones.map(item)];
  return {
    usage: helper.commandUsage(command),
    examples: node.examples ?? [],
    description: helper.commandDescription(command),
    blocks: [
      ...[...commands].map(([heading, ones]) =>
        block(heading, ones, (one) => [helper.subcommandTerm(one), helper.subcommandDescription(one)]),
      ),
      block("Arguments:", helper.visibleArguments(command), (one) => [
        helper.argumentTerm(one),
        helper.argumentDescription(one),
      ]),
      ...[...options].map(([heading, ones]) =>
        block(heading, ones, (one) => [helper.optionTerm(one), helper.optionDescription(one)]),
      ),
    ],
    globals: globalsOf(command),
  };
}

function globalsOf(command: Parser): string[] {
  const names = command.options
    .filter(({ helpGroupHeading }) => helpGroupHeading === globalHeading)
    .flatMap(({ long }) => (long ? [long] : []));
  // A command with a flag of the same name has the global one under another.
  return names.filter((name) => oftenMeant.includes(name) || name.startsWith("--global-"));
}
