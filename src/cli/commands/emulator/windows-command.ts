/** The parts with which a process is started. */
interface Start {
  program: string;
  args: readonly string[];
  /** Through the system's shell: the program is a whole command line then. */
  shell: boolean;
}

/**
 * How a program is started. On Windows npm and its like are scripts of cmd's, which only cmd runs; a path to an .exe
 * needs no shell, nor does anything elsewhere.
 */
export function createStart(program: string, args: readonly string[], platform: NodeJS.Platform): Start {
  if (platform !== "win32" || /\.(?:exe|com)$/i.test(program)) return { program, args, shell: false };
  return {
    program: [escapeForCmd(program), ...args.map((word) => escapeForCmd(quoteWord(word)))].join(" "),
    args: [],
    shell: true,
  };
}

/** In double quotes, as programs of Windows take their words apart: backslashes count only before a quote. */
function quoteWord(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Escapes the characters that cmd interprets, including quotes. */
function escapeForCmd(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
}
