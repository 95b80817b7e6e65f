import { readFileSync } from "node:fs";

/** The system reuses process IDs, so only the ID and the start time together identify a process. */
export function findProcessStart(pid: number): string | undefined {
  return readProcStat(pid)?.start ?? readPs(pid)?.start;
}

/**
 * Returns the IDs of this process's ancestors. If one of them has ended, the chain of parents has a gap,
 * because the system's first process becomes the parent of an ended process's children. On Linux, the list
 * therefore also contains the session leader and its ancestors.
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
  session?: number;
}

function readProcStat(pid: number): ProcessInfo | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses can contain any character, even a parenthesis.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), session: Number(fields[3]), start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** On Windows, voxctl knows only the parent of this process. */
function readPs(pid: number): ProcessInfo | undefined {
  if (process.platform === "win32" || process.platform === "linux") return undefined;
  // Loading the module takes milliseconds, and few commands need it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("ps", ["-o", "ppid=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
  });
  const match = /^\s*(\d+)\s+(.+?)\s*$/.exec(status === 0 ? stdout : "");
  return match ? { parent: Number(match[1]), start: match[2] ?? "" } : undefined;
}
