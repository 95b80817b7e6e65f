import type { CommandGroup } from "../../session/command.js";
import { reportCallsCommand } from "./calls.js";
import { reportBilling, reportUsage } from "./organizations.js";

export const report: CommandGroup = {
  name: "report",
  summary: "A month in figures: calls, usage, billing",
  commands: [reportCallsCommand, reportUsage, reportBilling],
};
