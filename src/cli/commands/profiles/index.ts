import type { CommandGroup } from "../../session/command.js";
import { addProfile } from "./add.js";
import { exportProfiles } from "./export.js";
import { importProfiles } from "./import.js";
import { listProfiles } from "./list.js";
import { removeProfile } from "./remove.js";
import { setDefaults } from "./set.js";
import { showProfile } from "./show.js";
import { useProfile } from "./use.js";

export const profiles: CommandGroup = {
  name: "profiles",
  summary: "Manage connections and API keys",
  description:
    "A profile contains the URLs of a service and a key for each of its APIs. Profile offline uses the local emulator; no server has to run.\nTo see how voxctl chooses the profile, run `voxctl help environment`.",
  commands: [
    addProfile,
    listProfiles,
    showProfile,
    useProfile,
    setDefaults,
    removeProfile,
    exportProfiles,
    importProfiles,
  ],
};
