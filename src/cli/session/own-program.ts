/** The words that start this very program again, in a process of its own; undefined where it is not run as a command. */
export function ownProgram(): { program: string; args: readonly string[] } | undefined {
  const script = process.argv[1];
  return script === undefined
    ? undefined
    : { program: process.execPath, args: [...process.execArgv, script] };
}
