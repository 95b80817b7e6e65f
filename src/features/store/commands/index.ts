import type { CommandGroup } from "../../../cli/session/command.js";
import { checkStore } from "./check.js";
import { exportStore } from "./export.js";
import { importLocal } from "./import-local.js";
import { initStore } from "./init.js";
import { pruneStore } from "./prune.js";
import { showStore } from "./show.js";
import { unlockStore } from "./unlock.js";

export const store: CommandGroup = {
  name: "store",
  summary: "Share runs with other machines through PostgreSQL",
  commands: [initStore, showStore, checkStore, unlockStore, importLocal, exportStore, pruneStore],
};
