/** Source of a secret that `pull` could not write. The user must replace it. */
export const unfilledSource = "env:TODO";
