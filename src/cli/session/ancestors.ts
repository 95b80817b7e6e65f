import { readFileSync } from "node:fs";

/** When a process began, in the system's own form: a number is given to another process later. Undefined where unknown. */
export function findProcessStart(pid: number): string | undefined {
  return readProcStat(pid)?.start ?? readPs(pid)?.start;
}

/**
 * The processes above this one, as far as the system tells. One whose parent has ended is a child of the system's own
 * first process: then the leader of its session and those above that one tell where it comes from.
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
  /** Process number of its session's leader. */
  session?: number;
}

/** Linux. */
function readProcStat(pid: number): ProcessInfo | undefined {
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
function readPs(pid: number): ProcessInfo | undefined {
  if (process.platform === "win32" || process.platform === "linux") return undefined;
  // Asked for here: every start loads this file, and few have a use for that module, which costs milliseconds.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("ps", ["-o", "ppid=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
  });
  const match = /^\s*(\d+)\s+(.+?)\s*$/.exec(status === 0 ? stdout : "");
  return match ? { parent: Number(match[1]), start: match[2] ?? "" } : undefined;
}
