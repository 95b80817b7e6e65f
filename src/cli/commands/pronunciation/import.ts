import { importCommand } from "../bulk/import-items.js";
import { items } from "./items.js";

export const importPronunciation = importCommand(items);
