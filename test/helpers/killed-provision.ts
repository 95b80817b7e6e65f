/** Run as a process of its own: provisions a plan in a world's file, and is killed for good at one of its requests. */
import { main, processIo } from "../../src/cli/main.js";
import { openEmulator } from "../../src/emulator/index.js";
import { killedAt } from "./provisioning.js";

const [file = "", plan = "", request = "0", effect = "before"] = process.argv.slice(2);
const emulator = await openEmulator({ db: file });
const overrides = killedAt(emulator, Number(request), effect === "after" ? "after" : "before", () =>
  process.kill(process.pid, "SIGKILL"),
);
process.exitCode = await main(
  ["orgs", "provision", plan, "--yes", "--profile", "offline"],
  processIo(),
  overrides,
);
await emulator.close();
