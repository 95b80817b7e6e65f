import { messageOf } from "../../../base/error-code.js";
import { formatCount } from "../../../base/text.js";
import { findResumeCommand } from "../../bulk/resume-command.js";
import { getRunsFolder } from "../../bulk/target.js";
import type { Session } from "../../session/session.js";
import type { Finding } from "./finding.js";

/**
 * Lists this machine's unfinished runs, with the commands that resume them.
 * @param except IDs of runs in a different format: opening them would update their files
 */
export async function checkRuns(session: Session, except: readonly string[]): Promise<Finding[]> {
  const check = "runs";
  try {
    const { listRuns } = await import("../../../write/index.js");
    const runs = (await listRuns(getRunsFolder(session), except)).filter(
      ({ state }) => state === "unfinished",
    );
    if (runs.length === 0) return [];
    const commands = await Promise.all(runs.map(findResumeCommand));
    const message = `${formatCount(runs.length, "unfinished run")}: ${commands.map((command) => `\`${command}\``).join(", ")}`;
    const details = runs.map(({ id, command, file, started_at }, index) => ({
      ...{ id, command, file, started_at },
      resume: commands[index],
    }));
    return [{ check, state: "warning", message, details }];
  } catch (error) {
    return [{ check, state: "warning", message: messageOf(error) }];
  }
}
