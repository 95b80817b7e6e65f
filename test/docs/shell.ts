export interface ShellCommand {
  words: string[];
  /** File that receives the output, as in `> file`. */
  into?: string;
  /** Whether the command reads the output of the previous one. */
  piped: boolean;
}

/**
 * Parses a line like a POSIX shell, as far as examples need it: quotes, `|`, `>` and trailing comments.
 * Refuses other special characters, so that each example is tested as written.
 */
export function readShellLine(line: string): ShellCommand[] {
  const commands: ShellCommand[] = [{ words: [], piped: false }];
  const token =
    /\s*(?:(#.*)$|(\|)|(>)|((?:'[^']*'|"(?:[^"\\$`]|\\.)*"|\\.|[^\s'"\\|<>&;#$`()*?[\]~]|(?<=\S)[#[\]~?*])+))/y;
  let redirect = false;
  while (token.lastIndex < line.length) {
    const at = token.lastIndex;
    const match = token.exec(line);
    const current = commands.at(-1);
    if (!match || !current) {
      if (line.slice(at).trim() === "") break;
      throw new Error(`not read: ${line.slice(at)}`);
    }
    if (match[1] !== undefined) break;
    if (match[2]) commands.push({ words: [], piped: true });
    else if (match[3]) redirect = true;
    else {
      const word = unquote(match[4] ?? "");
      if (redirect) current.into = word;
      else current.words.push(word);
      redirect = false;
    }
  }
  return commands;
}

function unquote(text: string): string {
  return text.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) =>
    single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : escaped,
  );
}
