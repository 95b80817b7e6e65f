import { readFileSync } from "node:fs";

/**
 * Returns the start time of a process in the system's format; undefined if unknown. Together with the process
 * ID, it identifies the process, because process IDs are reused.
 */
export function findProcessStart(pid: number): string | undefined {
  return readProcStat(pid)?.start ?? readPs(pid)?.start;
}

/**
 * Returns the ancestors of this process, as far as the system reports them. Also follows the session leader,
 * because the system's first process becomes the parent of a process whose parent has ended.
 */
export function listAncestors(): number[] {
  const pids: number[] = [];
  for (const first of [process.ppid, readProcStat(process.pid)?.session ?? 0])
    for (let pid = first; pid > 1 && !pids.includes(pid); ) {
      pids.push(pid);
      pid = readProcStat(pid)?.parent ?? readPs(pid)?.parent ?? 0;
    }
  return pids;
}

interface ProcessInfo {
  parent: number;
  start: string;
  /** Process ID of the session leader. */
  session?: number;
}

/** Reads process information on Linux. */
function readProcStat(pid: number): ProcessInfo | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program name, in parentheses, may contain any character.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), session: Number(fields[3]), start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Reads process information on other Unix systems; elsewhere, only the parent is known. */
function readPs(pid: number): ProcessInfo | undefined {
  if (process.platform === "win32" || process.platform === "linux") return undefined;
  // Load the module only on use, because loading takes milliseconds and few commands need it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("ps", ["-o", "ppid=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
  });
  const match = /^\s*(\d+)\s+(.+?)\s*$/.exec(status === 0 ? stdout : "");
  return match ? { parent: Number(match[1]), start: match[2] ?? "" } : undefined;
}
