import { usageError } from "../../errors/errors.js";
import { meantOf } from "../../errors/nearest.js";
import { commandWord, hasOpenQuote, splitWords } from "../../errors/shell-words.js";
import { changeConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";

/** `voxctl alias set NAME "COMMAND LINE"` */
export const setAlias: Command = {
  name: "set",
  aliases: ["add", "create"],
  summary: "Name a command line",
  description:
    "The command line is written in quotes, without voxctl before it, so that its flags are the alias's. $1 takes the first word typed after the alias, $2 the second. A command's own name can't be an alias.",
  arguments: [
    { name: "name", description: "the word to type" },
    { name: "command-line", description: "what it stands for, in quotes", variadic: true },
  ],
  examples: [
    { command: 'voxctl alias set kunden "contacts list --group Kunden"' },
    {
      command: "voxctl alias set anruf 'calls trigger --assistant Empfang --to $1 --wait'",
      note: "then: voxctl anruf +4915112345678",
    },
  ],
  async run(session, input) {
    const [name = "", ...given] = input.arguments;
    if (!/^\p{L}[\p{L}\p{N}_-]{0,63}$/u.test(name))
      throw usageError(`"${name}" can't be an alias: a letter, then letters, digits, dashes and underscores`);
    // Unquoted words were split by the shell already; an alias is read by rules of ours, the same on every system.
    const line = (
      given.length === 1 ? (given[0] ?? "") : given.map((word) => commandWord(word, "linux")).join(" ")
    ).trim();
    const command = await checkedLine(name, line.replace(/^voxctl\s+/, ""), session);
    await changeConfiguration(session.folders, session.clock, (current) => ({
      ...current,
      aliases: { ...current.aliases, [name]: command },
    }));
    await session.output.item({ name, command });
  },
};

/** @throws usage error (2) where the name is a command's, or the line begins with none */
async function checkedLine(name: string, line: string, session: Session): Promise<string> {
  const { commands } = await session.commands();
  const names = commands.flatMap((one) => [one.name, ...one.aliases]);
  if (names.includes(name)) throw usageError(`${name} is a command; take another name`);
  if (hasOpenQuote(line))
    throw usageError(`a quote in the command line is not closed: ${line}`, {
      hint: "\\' is an apostrophe, or quote the word that holds it",
    });
  const [first = ""] = splitWords(line);
  if (!names.includes(first))
    throw usageError(`"${first}" is no command of voxctl, so an alias can't begin with it`, {
      hint: `${meantOf(first, names)}voxctl commands lists them`,
    });
  return line;
}
