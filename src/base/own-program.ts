import { isSingleExecutable } from "./single-executable.js";

/** The program and the arguments to start a process with. */
interface Start {
  program: string;
  args: readonly string[];
}

/** Returns the command that starts this program again as a separate process; undefined if voxctl is not running as a command. */
export function ownProgram(): Start | undefined {
  if (isSingleExecutable()) return { program: process.execPath, args: [] };
  const script = process.argv[1];
  return script === undefined
    ? undefined
    : { program: process.execPath, args: [...process.execArgv, script] };
}

/**
 * Returns the command that runs a script as a separate process, without loading voxctl.
 * @param script CommonJS that does not import voxctl; arguments are in its `process.argv` from index 1
 */
export function scriptProgram(script: string): Start {
  // The single executable doesn't accept Node flags; scripts/binary/start.cjs handles this word instead.
  const flag = isSingleExecutable() ? "__script" : "-e";
  return { program: process.execPath, args: [flag, script] };
}
