import { isSingleExecutable } from "./single-executable.js";

/** The program and arguments that start a process. */
interface Start {
  program: string;
  args: readonly string[];
}

/** The words that start this very program again, in a process of its own; undefined where it is not run as a command. */
export function ownProgram(): Start | undefined {
  if (isSingleExecutable()) return { program: process.execPath, args: [] };
  const script = process.argv[1];
  return script === undefined
    ? undefined
    : { program: process.execPath, args: [...process.execArgv, script] };
}

/**
 * The words that run a script of ours in a process of its own, with nothing else of voxctl in it.
 * @param script CommonJS without imports of ours; further words are its `process.argv` from 1 on
 */
export function scriptProgram(script: string): Start {
  // The single executable knows no flag of Node; it takes this word for it (scripts/binary/start.cjs).
  const flag = isSingleExecutable() ? "__script" : "-e";
  return { program: process.execPath, args: [flag, script] };
}
