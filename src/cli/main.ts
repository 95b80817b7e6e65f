import type { Io } from "../base/io.js";
import { createWriter } from "./output/writer.js";
import { findFolders } from "./profiles/folders.js";
import { readRootHelp, rootHelp } from "./root-help.js";
import type { Overrides } from "./session/overrides.js";
import { version } from "./session/version.js";
import type { Text } from "./terminal/paint.js";

export { processIo } from "./process-io.js";

/**
 * Runs one command line and returns its exit code. Uses only the streams and environment of `io`.
 * @param argv arguments after the script's path
 * @param overrides replacements for the service, prompts and clock in tests
 */
export async function main(argv: readonly string[], io: Io, overrides: Overrides = {}): Promise<number> {
  // Print the version and the root help before other modules are loaded. On a failure, `run` prints them again
  // and reports the error.
  const isVersion = argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V");
  if (isVersion && (await isPrinted(`${version}\n`, io))) return 0;
  // Completion runs at every Tab, so use the command tree from the build. It loads faster than the parser.
  if (argv[0] === "__complete") {
    const { completeLine: completionText } = await import("./completion/run.js");
    await createWriter(io).writeDocument(completionText(argv.slice(1), io, findFolders(io)));
    return 0;
  }
  const helpRequest = readRootHelp(argv);
  if (helpRequest && (await isPrinted(rootHelp(io, helpRequest), io))) return 0;
  const { run } = await import("./run.js");
  return run(isVersion ? ["version"] : argv, io, overrides);
}

async function isPrinted(text: Text, io: Io): Promise<boolean> {
  try {
    await createWriter(io).write(text);
    return true;
  } catch {
    return false;
  }
}
