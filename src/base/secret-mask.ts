/** The text that replaces a secret in output and in files. */
export const secretMask = "***";
