/** Returns the ID of the run that an undo reverts; undefined for the ID of another run. */
export function undoneRunOf(id: string): string | undefined {
  return /^(.+)-undo(?:-\d+)?$/.exec(id)?.[1];
}
