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
    "The command line is written in quotes, without voxctl before it, so that its flags are the alias's. $1 takes the first word typed after the alias, $2 the second. A flag that is typed after the alias goes before the alias's own. A command's own name can't be an alias.",
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
    let former: string | undefined;
    await changeConfiguration(session.folders, session.clock, (current) => {
      former = Object.hasOwn(current.aliases ?? {}, name) ? current.aliases?.[name] : undefined;
      return { ...current, aliases: { ...current.aliases, [name]: command } };
    });
    if (given.length > 1 && hasFlags(session))
      session.notes.note(
        `flags that stand outside of quotes are not the alias's; with them: voxctl alias set ${name} '${command} …'`,
      );
    if (former !== undefined && former !== command) session.notes.note(`${name} was: ${former}`);
    await session.output.item({ name, command });
  },
};

/** Flags of every command are taken for `alias set` itself, where the others are refused. */
function hasFlags({ flags: { profile, output, isOutputPreferred, fields, jq } }: Session): boolean {
  return [profile, isOutputPreferred ? undefined : output, fields, jq].some((value) => value !== undefined);
}

/** @throws usage error (2) where the name is a command's, or the line begins with none */
async function checkedLine(name: string, line: string, session: Session): Promise<string> {
  const tree = await session.commands();
  const names = tree.commands.flatMap((one) => [one.name, ...one.aliases]);
  if (names.includes(name)) throw usageError(`${name} is a command; take another name`);
  if (hasOpenQuote(line))
    throw usageError(`a quote in the command line is not closed: ${line}`, {
      hint: "\\' is an apostrophe, or quote the word that holds it",
    });
  const [first = "", second] = splitWords(line);
  if (!names.includes(first))
    throw usageError(`"${first}" is no command of voxctl, so an alias can't begin with it`, {
      hint: `${meantOf(first, names)}voxctl commands lists them`,
    });
  const group = tree.commands.find((one) => one.name === first || one.aliases.includes(first));
  const verbs = (group?.commands ?? []).flatMap((one) => [one.name, ...one.aliases]);
  // A flag may stand before the command, and a word be left to whoever uses the alias.
  if (second !== undefined && verbs.length > 0 && !/^[-$]/.test(second) && !verbs.includes(second))
    throw usageError(`"${first} ${second}" is no command of voxctl, so an alias can't begin with it`, {
      hint: `${meantOf(second, verbs)}voxctl ${first} --help lists them`,
    });
  return line;
}
