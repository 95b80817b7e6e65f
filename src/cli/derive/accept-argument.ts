import { buildFlagWords } from "../../base/shell-words.js";
import { usageError } from "../errors/errors.js";
import { FlaggedError } from "../errors/exit-codes.js";
import type { Command } from "../session/command.js";
import type { Flag, Input } from "../session/input.js";

/** Makes `customers list P` and `customers list --partner P` equivalent. */
export function acceptArgumentOrFlag(command: Command, flag: Flag): Command {
  const byFlag = acceptFlag(command, flag);
  const [first, ...remainingArguments] = command.arguments ?? [];
  return {
    ...byFlag,
    arguments: [
      { name: flag.name, ...first, description: flag.description, optional: true },
      ...remainingArguments,
    ],
    run(session, input) {
      const [value, ...remaining] = input.arguments;
      if (value === undefined) {
        if (!input.has(flag.name) && !session.prompts.available)
          throw usageError(`missing argument: <${flag.name}>`);
        return byFlag.run(session, input);
      }
      if (input.has(flag.name))
        throw usageError(
          `conflicting values: <${flag.name}> "${value}" and --${flag.name} ${input.text(flag.name)}`,
        );
      return command.run(session, replaceArguments(input, [value, ...remaining]));
    },
  };
}

/** Replaces the first argument with a flag, as in `customers create --partner P`. */
export function acceptFlag(command: Command, flag: Flag): Command {
  return {
    ...command,
    arguments: (command.arguments ?? []).slice(1),
    flags: [flag, ...(command.flags ?? [])],
    async run(session, input) {
      const value =
        input.text(flag.name) ??
        (session.prompts.available
          ? await session.prompts.text({ message: `${flag.name}:`, required: true })
          : undefined);
      if (value === undefined) throw usageError(`missing required flag: --${flag.name}`);
      const typed = [...buildFlagWords(flag.name, value), ...input.arguments];
      await command.run(session, { ...replaceArguments(input, [value, ...input.arguments]), typed });
    },
  };
}

/** Replaces a flag with a final argument, as in `customers plan C business`. */
export function acceptArgument(command: Command, name: string, description: string): Command {
  const before = command.arguments ?? [];
  return {
    ...command,
    arguments: [...before, { name, description }],
    flags: (command.flags ?? []).filter((flag) => flag.name !== name),
    run(session, input) {
      const value = input.arguments[before.length];
      return command
        .run(session, {
          ...replaceArguments(input, input.arguments.slice(0, before.length)),
          text: (flag) => (flag === name ? value : input.text(flag)),
          on: (flag) => (flag === name ? true : input.on(flag)),
          has: (flag) => flag === name || input.has(flag),
        })
        .catch((error: unknown) => {
          const inner = error instanceof FlaggedError ? error : undefined;
          throw new FlaggedError(inner?.cause ?? error, (path) =>
            path[0] === name ? `<${name}>` : inner?.flagOf(path),
          );
        });
    },
  };
}

function replaceArguments(input: Input, values: readonly string[]): Input {
  return {
    arguments: values,
    text: (name) => input.text(name),
    texts: (name) => input.texts(name),
    on: (name) => input.on(name),
    has: (name) => input.has(name),
  };
}
