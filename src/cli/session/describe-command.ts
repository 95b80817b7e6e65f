import type { Command, CommandGroup } from "./command.js";

export function describeCommand(command: Command | CommandGroup): string | undefined {
  const { description } = command;
  const confirmation = "run" in command && command.confirms ? formatConfirmation(command) : "";
  return [description ?? "", confirmation].filter((text) => text !== "").join("\n\n") || undefined;
}

function formatConfirmation({ confirms, confirmsLocally }: Command): string {
  const occasion = typeof confirms === "string" ? ` before ${confirms}` : "";
  const production = confirmsLocally ? "" : ", or --confirm for production";
  return `Asks for confirmation${occasion}; in scripts, use --yes${production}.`;
}
