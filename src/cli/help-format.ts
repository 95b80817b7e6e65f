import type { Help, Command as Parser } from "commander";

/** A command's help: what it can do comes before how it can be told to. */
export function formatHelp(command: Parser, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const terms = helper.padWidth(command, helper);
  const item = (term: string, description: string) => helper.formatItem(term, terms, description, helper);
  const block = (heading: string, items: string[]) => helper.formatItemList(heading, items, helper);

  const commands = helper.groupItems(
    [...command.commands],
    helper.visibleCommands(command),
    (one) => one.helpGroup() || "Commands:",
  );
  const options = helper.groupItems(
    [...command.options],
    helper.visibleOptions(command),
    (one) => one.helpGroupHeading ?? "Options:",
  );
  const described = helper.commandDescription(command);
  return [
    `${helper.styleTitle("Usage:")} ${helper.commandUsage(command)}`,
    "",
    ...(described === "" ? [] : [helper.boxWrap(described, width), ""]),
    ...[...commands].flatMap(([heading, ones]) =>
      block(
        heading,
        ones.map((one) => item(helper.subcommandTerm(one), helper.subcommandDescription(one))),
      ),
    ),
    ...block(
      "Arguments:",
      helper
        .visibleArguments(command)
        .map((one) => item(helper.argumentTerm(one), helper.argumentDescription(one))),
    ),
    ...[...options].flatMap(([heading, ones]) =>
      block(
        heading,
        ones.map((one) => item(helper.optionTerm(one), helper.optionDescription(one))),
      ),
    ),
  ].join("\n");
}
