import { quoteWord } from "../../../base/shell-words.js";
import { usageError } from "../../errors/errors.js";
import { changeConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { assertAliasLine } from "./checked-line.js";

export const setAlias: Command = {
  name: "set",
  aliases: ["add", "create"],
  summary: "Create or replace an alias",
  description:
    "Quote the command line and omit voxctl. $1 is the first word after the alias, $2 the second. Flags after the alias take precedence over the flags in the alias.",
  arguments: [
    { name: "name", description: "Name of the alias" },
    { name: "command-line", description: "Command line without voxctl, in quotes", variadic: true },
  ],
  examples: [
    { command: 'voxctl alias set kunden "contacts list --group Kunden"' },
    {
      command: "voxctl alias set anruf 'calls trigger --assistant Empfang --to $1 --wait'",
      note: "Use the alias: `voxctl anruf +4915112345678`",
    },
  ],
  async run(session, input) {
    const [name = "", ...given] = input.arguments;
    if (!/^\p{L}[\p{L}\p{N}_-]{0,63}$/u.test(name))
      throw usageError(
        `invalid alias name "${name}": expected a letter, followed by letters, digits, dashes or underscores`,
      );
    // If the shell has already split the command, join its words again. Quote them as on Linux, because voxctl
    // splits an alias by the Linux rules on every system.
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
        `Flags outside the quotes are not part of the alias. To include them, run \`voxctl alias set ${name} '${command} …'\`.`,
      );
    if (former !== undefined && former !== command)
      session.notes.note(`Previous value of ${name}: ${former}`);
    await session.output.item({ name, command });
  },
};

/** Global flags outside the quotes apply to `alias set`, not to the alias. */
function hasFlags({ flags: { profile, output, isOutputPreferred, fields, jq } }: Session): boolean {
  return [profile, isOutputPreferred ? undefined : output, fields, jq].some((value) => value !== undefined);
}
