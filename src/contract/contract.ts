import type { Operation } from "./operation.js";
import { contacts } from "./public/contacts.js";
import { groups } from "./public/groups.js";
import { ping } from "./public/ping.js";

/** Every operation of every surface, by name. */
export const contract = {
  ...ping,
  ...groups,
  ...contacts,
} as const;

export type Contract = typeof contract;
export type OperationName = keyof Contract;

/** The same table for code that walks it. */
export const operations: Readonly<Record<string, Operation>> = contract;
