import type { Command, CommandGroup } from "./command.js";

/**
 * Returns the description for the help, with a sentence about the confirmation if the command asks for one.
 */
export function describeCommand(command: Command | CommandGroup): string | undefined {
  const { description } = command;
  const confirmation = "run" in command && command.confirms ? formatConfirmation(command.confirms) : "";
  return [description ?? "", confirmation].filter((text) => text !== "").join("\n\n") || undefined;
}

function formatConfirmation(confirms: true | string): string {
  const occasion = confirms === true ? "" : ` before ${confirms}`;
  return `Asks for confirmation${occasion}; in scripts, use --yes, or --confirm for production.`;
}
