/**
 * Property tests use the same inputs each time, so that `npm test` is repeatable; the proof uses different
 * inputs.
 */
import fc from "fast-check";

const seed = process.env["PROOF_SEED"] ?? (process.env["PROOF"] === undefined ? "20261123" : undefined);
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
