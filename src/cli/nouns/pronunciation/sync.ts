import { createSyncCommand } from "../../bulk/sync-items.js";
import { items } from "./items.js";

export const syncPronunciation = createSyncCommand(items);
