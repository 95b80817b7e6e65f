import { createImportCommand } from "../../bulk/import-items.js";
import { items } from "./items.js";

export const importPronunciation = createImportCommand(items);
