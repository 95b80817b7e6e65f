import { usageError } from "../../errors/errors.js";
import { quoteWord } from "../../errors/shell-words.js";
import { changeConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { assertAliasLine } from "./checked-line.js";

/** `voxctl alias set NAME "COMMAND LINE"` */
export const setAlias: Command = {
  name: "set",
  aliases: ["add", "create"],
  summary: "Name a command line",
  description:
    "Quote the command line, without voxctl. $1 is the first word after the alias, $2 the second. A flag after the alias takes precedence over the alias's flags. voxctl checks the command and its flags before it stores the alias. The name of a command can't be an alias.",
  arguments: [
    { name: "name", description: "The word to type" },
    { name: "command-line", description: "Command line of the alias, in quotes", variadic: true },
  ],
  examples: [
    { command: 'voxctl alias set kunden "contacts list --group Kunden"' },
    {
      command: "voxctl alias set anruf 'calls trigger --assistant Empfang --to $1 --wait'",
      note: "Then: voxctl anruf +4915112345678",
    },
  ],
  async run(session, input) {
    const [name = "", ...given] = input.arguments;
    if (!/^\p{L}[\p{L}\p{N}_-]{0,63}$/u.test(name))
      throw usageError(`"${name}" can't be an alias: a letter, then letters, digits, dashes and underscores`);
    // The shell already split unquoted words; voxctl splits an alias by the same rules on every system.
    const line = (
      given.length === 1 ? (given[0] ?? "") : given.map((word) => quoteWord(word, "linux")).join(" ")
    ).trim();
    const command = assertAliasLine(name, line.replace(/^voxctl\s+/, ""), await session.commands());
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
