import { wire } from "../generated/wire.js";
import type { WireOperation } from "./wire-operation.js";

export { wire };

export type OperationName = keyof typeof wire;

/** `wire` as a record, so that code can iterate over it. */
export const wireOperations: Readonly<Record<string, WireOperation>> = wire;
