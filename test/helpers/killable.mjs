/**
 * A process of the built command that kills itself with SIGKILL when its journal reaches a step for the nth time:
 * `KILL_AT=sent:3 node killable.mjs contacts import …`. Writes of a configuration's lock have three more steps.
 * `lock-writing`: half of the lock is in the temporary file. `lock-renaming`: right before the rename.
 * `lock-renamed`: right after the rename.
 */
import promises from "node:fs/promises";
import { main, processIo } from "../../dist/cli.cjs";

const [wanted, count = "1"] = (process.env["KILL_AT"] ?? "").split(":");
let seen = 0;
function killAt(step) {
  if (step !== wanted) return;
  seen += 1;
  if (seen === Number(count)) process.kill(process.pid, "SIGKILL");
}

const { rename, writeFile } = promises;
const isLock = (path) => /[\\/]locks[\\/][^\\/]+\.jsonl$/.test(String(path));
promises.writeFile = async (path, text, ...rest) => {
  if (isLock(String(path).replace(/\.part$/, ""))) {
    await writeFile(path, text.slice(0, text.length / 2), ...rest);
    killAt("lock-writing");
  }
  return writeFile(path, text, ...rest);
};
promises.rename = async (from, to) => {
  if (isLock(to)) killAt("lock-renaming");
  await rename(from, to);
  if (isLock(to)) killAt("lock-renamed");
};

process.exitCode = await main(process.argv.slice(2), processIo(), { onJournalStep: killAt });
