import { isSingleExecutable } from "./single-executable.js";

interface Start {
  program: string;
  args: readonly string[];
}

/**
 * Returns the command that starts voxctl again as a separate process; undefined if voxctl is used as a
 * library.
 */
export function ownProgram(): Start | undefined {
  if (isSingleExecutable()) return { program: process.execPath, args: [] };
  const script = process.argv[1];
  return script === undefined
    ? undefined
    : { program: process.execPath, args: [...process.execArgv, script] };
}

/**
 * Returns the command that runs a script in a separate process, without loading voxctl.
 * @param script CommonJS code that does not import voxctl; its arguments start at `process.argv[1]`
 */
export function scriptProgram(script: string): Start {
  // The single executable doesn't accept Node flags. Instead, scripts/binary/start.cjs handles `__script`.
  const flag = isSingleExecutable() ? "__script" : "-e";
  return { program: process.execPath, args: [flag, script] };
}
