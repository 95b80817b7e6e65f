/** Placeholder for the source of a secret that `pull` could not write. */
export const unfilledSource = "env:TODO";
