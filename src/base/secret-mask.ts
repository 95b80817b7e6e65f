export const secretMask = "***";
