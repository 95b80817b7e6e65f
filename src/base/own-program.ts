import { isSingleExecutable } from "./single-executable.js";

/** The program and arguments that start a process. */
interface Start {
  program: string;
  args: readonly string[];
}

/** Returns the command that starts this program again as a process; undefined if voxctl does not run as a command. */
export function ownProgram(): Start | undefined {
  if (isSingleExecutable()) return { program: process.execPath, args: [] };
  const script = process.argv[1];
  return script === undefined
    ? undefined
    : { program: process.execPath, args: [...process.execArgv, script] };
}

/**
 * Returns the command that runs a script of voxctl as a separate process, without the rest of voxctl.
 * @param script CommonJS without imports of voxctl; further arguments are its `process.argv` from 1 on
 */
export function scriptProgram(script: string): Start {
  // The single executable accepts no Node flag, but this word (scripts/binary/start.cjs).
  const flag = isSingleExecutable() ? "__script" : "-e";
  return { program: process.execPath, args: [flag, script] };
}
