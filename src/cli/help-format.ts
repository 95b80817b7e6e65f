import type { Help, Command as Parser } from "commander";

/** The heading of the flags that every command takes; they stand in one line. */
export const globalHeading = "Global options:";

/** The ones that a person asks for most. */
const oftenMeant = ["--profile", "--output", "--fields", "--yes"];

/** Descriptions beside their terms get no narrower than this; below it they stand under them. */
const narrowestDescription = 34;

/** A command's help: what it can do comes before how it can be told to. */
export function formatHelp(command: Parser, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const terms = helper.padWidth(command, helper);
  const item = (term: string, description: string) => {
    if (width - terms - 4 >= narrowestDescription) return helper.formatItem(term, terms, description, helper);
    const lines = helper.boxWrap(description, width - 6).split("\n");
    return [`  ${term}`, ...lines.map((line) => `      ${line}`)].join("\n");
  };
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
    ...(described === "" ? [] : [wrapped(described, (line) => helper.boxWrap(line, width)), ""]),
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
    helper.boxWrap(`${helper.styleTitle(globalHeading)} ${globalLine(command)}`, width),
    "",
  ].join("\n");
}

/** Lines that are set in stay as they are: a broken line of an example would be another one. */
function wrapped(text: string, wrap: (line: string) => string): string {
  return text
    .split("\n")
    .map((line) => (line.startsWith("  ") ? line : wrap(line)))
    .join("\n");
}

function globalLine(command: Parser): string {
  const names = command.options
    .filter(({ helpGroupHeading }) => helpGroupHeading === globalHeading)
    .flatMap(({ long }) => (long ? [long] : []));
  // A command with a flag of the same name has the global one under another.
  const shown = names.filter((name) => oftenMeant.includes(name) || name.startsWith("--global-"));
  return `${shown.join(", ")} and more: voxctl help flags`;
}
