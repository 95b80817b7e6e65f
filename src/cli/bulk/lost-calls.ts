/** The emulator computes usage and billing from the organizations that exist (D-v2-usage, D-v2-billing). */
export const lostCalls = "Usage and billing may no longer include the calls of deleted organizations.";
