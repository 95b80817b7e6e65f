/** Placeholder for the source of a secret that `pull` could not write (U8). */
export const unfilledSource = "env:TODO";
