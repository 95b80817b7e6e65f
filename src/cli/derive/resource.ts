import type { Operation } from "../../contract/operation.js";
import { isOperationName } from "../../contract/operation-names.js";
import type { OperationName } from "../../contract/wire.js";
import type { Command, CommandGroup, CommandNode } from "../session/command.js";
import { deleteCommand } from "./delete.js";
import { getCommand } from "./get.js";
import { listCommand } from "./list.js";
import type { Derivation, Noun } from "./noun.js";
import { sendCommand } from "./send.js";

/** Derives one command per operation. A handwritten command with the same name replaces it. */
export function resourceCommands(resource: Noun): CommandGroup {
  const written = resource.commands ?? [];
  const nodes: CommandNode[] = [];
  for (const [name, operation] of Object.entries(resource.operations)) {
    const [, verb, ...more] = name.split(".");
    // An operation whose name has three parts, such as `calls.recording.delete`, has a handwritten command.
    if (verb === undefined || more.length > 0 || !isOperationName(name)) continue;
    nodes.push(
      written.find((command) => command.name === verb) ?? {
        name: verb,
        aliases: shortFor[verb] ?? [],
        summary: operation.summary,
        // Flags are derived from schemas only for the requested command.
        load: async () => operationCommand(name, operation, resource),
      },
    );
  }
  return {
    name: resource.name,
    summary: resource.summary,
    ...(resource.description === undefined ? {} : { description: resource.description }),
    commands: [...nodes, ...written.filter((command) => !nodes.includes(command))],
  };
}

const shortFor: Readonly<Record<string, readonly string[]>> = { list: ["ls"], delete: ["rm"] };

export function operationCommand(name: OperationName, operation: Operation, resource: Noun): Command {
  const derivation: Derivation = {
    name,
    operation,
    resource,
    verb: resource.verbs[name] ?? { examples: [] },
  };
  if (derivation.verb.command) return derivation.verb.command(derivation);
  if (operation.responseShape === "page" || operation.responseShape === "list")
    return listCommand(derivation);
  if (operation.method === "GET") return getCommand(derivation);
  return operation.method === "DELETE" ? deleteCommand(derivation) : sendCommand(derivation);
}
