import type { Command, CommandGroup } from "./command.js";

/** Returns the description for the help and the reference, with a sentence if the command asks for confirmation. */
export function describeCommand(command: Command | CommandGroup): string | undefined {
  const confirmation = "run" in command ? formatConfirmation(command.confirms) : [];
  const paragraphs = [...(command.description === undefined ? [] : [command.description]), ...confirmation];
  return paragraphs.length === 0 ? undefined : paragraphs.join("\n\n");
}

function formatConfirmation(confirms: Command["confirms"] = false): string[] {
  if (confirms === false) return [];
  const occasion = confirms === true ? "" : ` before ${confirms}`;
  return [`Asks for confirmation${occasion}; in scripts, use --yes, or --confirm for production.`];
}
