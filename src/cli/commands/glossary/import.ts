import { importCommand } from "../bulk/import-items.js";
import { items } from "./items.js";

export const importGlossary = importCommand(items);
