import { readFileSync } from "node:fs";

/** When a process began, in the system's own form: a number is given to another process later. Undefined where unknown. */
export function startOfProcess(pid: number): string | undefined {
  return statOf(pid)?.start ?? psOf(pid)?.start;
}

/**
 * The processes above this one, as far as the system tells. One whose parent has ended is a child of the system's own
 * first process: then the leader of its session and those above that one tell where it comes from.
 */
export function ancestors(): number[] {
  const found: number[] = [];
  for (const first of [process.ppid, statOf(process.pid)?.session ?? 0])
    for (let pid = first; pid > 1 && !found.includes(pid); ) {
      found.push(pid);
      pid = statOf(pid)?.parent ?? psOf(pid)?.parent ?? 0;
    }
  return found;
}

interface ProcessInfo {
  parent: number;
  start: string;
  /** Process number of its session's leader. */
  session?: number;
}

/** Linux. */
function statOf(pid: number): ProcessInfo | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), session: Number(fields[3]), start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Other systems of that family; elsewhere the parent alone is known. */
function psOf(pid: number): ProcessInfo | undefined {
  if (process.platform === "win32" || process.platform === "linux") return undefined;
  // Asked for here: every start loads this file, and few have a use for that module, which costs milliseconds.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("ps", ["-o", "ppid=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
  });
  const found = /^\s*(\d+)\s+(.+?)\s*$/.exec(status === 0 ? stdout : "");
  return found ? { parent: Number(found[1]), start: found[2] ?? "" } : undefined;
}
