import { wire } from "../generated/wire.js";
import type { WireOperation } from "./wire-operation.js";

export { wire };

/** The name of an operation of any API: `contacts.create`. */
export type OperationName = keyof typeof wire;

/** The same table as `wire`, typed for code that iterates over it. */
export const wireOperations: Readonly<Record<string, WireOperation>> = wire;
