/**
 * The built command as a process that ends itself with SIGKILL when its journal reaches a step for the nth time:
 * `KILL_AT=sent:3 node killable.mjs contacts import …`.
 */
import { main, processIo } from "../../dist/cli.cjs";

const [wanted, count = "1"] = (process.env["KILL_AT"] ?? "").split(":");
let seen = 0;
process.exitCode = await main(process.argv.slice(2), processIo(), {
  onJournalStep: (step) => {
    if (step !== wanted) return;
    seen += 1;
    if (seen === Number(count)) process.kill(process.pid, "SIGKILL");
  },
});
