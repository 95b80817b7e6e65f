import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const enoughBytes = 2 ** 30;

/**
 * Before any test: creates the directory of all test files, in memory if possible, because databases and
 * journals would wait for a disk at each step.
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

/** A container may forbid programs in its memory file system. */
function runsProgramsFrom(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o700);
  return spawnSync(program).status === 0;
}
