/** Returns the ID of the run that an undo reverts; undefined if the ID is not that of an undo. */
export function undoneRunOf(id: string): string | undefined {
  return /^(.+)-undo(?:-\d+)?$/.exec(id)?.[1];
}
