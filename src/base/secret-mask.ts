/** The text in place of a secret, wherever one is shown or kept. */
export const secretMask = "***";
