import type { Command, CommandGroup } from "./command.js";

export function describeCommand(command: Command | CommandGroup): string | undefined {
  const { description } = command;
  const confirmation = "run" in command && command.confirms ? formatConfirmation(command.confirms) : "";
  return [description ?? "", confirmation].filter((text) => text !== "").join("\n\n") || undefined;
}

function formatConfirmation(confirms: true | string): string {
  const occasion = confirms === true ? "" : ` before ${confirms}`;
  return `Asks for confirmation${occasion}; in scripts, use --yes, or --confirm for production.`;
}
