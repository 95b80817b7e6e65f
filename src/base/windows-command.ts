interface Start {
  program: string;
  args: readonly string[];
  /** Whether `program` is a complete command line for the system's shell. */
  shell: boolean;
}

/** Returns how to start a program. On Windows, scripts such as npm run in cmd. */
export function createStart(program: string, args: readonly string[], platform: NodeJS.Platform): Start {
  if (platform !== "win32" || /\.(?:exe|com)$/i.test(program)) return { program, args, shell: false };
  return {
    program: [escapeForCmd(program), ...args.map((word) => escapeForCmd(quoteWord(word)))].join(" "),
    args: [],
    shell: true,
  };
}

/** Windows programs treat a backslash as special only before a quote. */
function quoteWord(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

function escapeForCmd(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
}
