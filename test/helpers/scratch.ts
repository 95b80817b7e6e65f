import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const enoughBytes = 2 ** 30;

/**
 * Before any test: creates one directory for all files of the tests, deleted with the run even if a test was
 * killed. It is in memory if possible: databases and journals wait for the disk at each step, and no test
 * depends on disks.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-tests-"));
  const inMemory = hasRoom() ? mkdtempSync(join(memory, "voxctl-tests-")) : undefined;
  const usable = inMemory !== undefined && runsProgramsFrom(inMemory);
  process.env["TMPDIR"] = usable ? inMemory : folder;
  return () => {
    for (const made of [folder, inMemory])
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
  };
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}

/** Returns whether programs can run from a directory: a container may forbid that in memory. */
function runsProgramsFrom(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o700);
  return spawnSync(program).status === 0;
}
