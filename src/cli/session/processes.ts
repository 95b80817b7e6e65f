/** Does a process of this number run, whoever's it is? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, and is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
