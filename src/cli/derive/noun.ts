import type { Fields } from "../../base/fields.js";
import type { Client } from "../../client/types.js";
import type { Operation, Operations } from "../../contract/operation.js";
import type { OperationName } from "../../contract/wire.js";
import type { Column } from "../output/output.js";
import type { Command, CommandNode } from "../session/command.js";
import type { Example } from "../session/input.js";
import type { Referable } from "../session/references/references.js";
import type { RowFilter } from "./row-filters.js";

/** Details of a resource's commands that can't be derived from the schemas. */
export interface Noun {
  /** Name of the command and prefix of the operations, such as `contacts`. */
  name: string;
  noun: string;
  plural: string;
  summary: string;
  description?: string;
  operations: Operations;
  columns: readonly Column[];
  /** Returns the fields that `get` shows on a terminal instead of fields that are hard to read. */
  detail?: (item: Fields) => Fields;
  /** Set if users know the resources by name; `get`, `update` and `delete` then accept a name or an ID. */
  referable?: Referable;
  /** Fields with the ID of another resource. For example, `group_id` becomes `--group NAME|ID`. */
  references?: Readonly<Record<string, Referable>>;
  verbs: Readonly<Record<string, Verb>>;
  commands?: readonly CommandNode[];
}

export interface Derivation {
  name: OperationName;
  operation: Operation;
  resource: Noun;
  verb: Verb;
}

export interface Verb {
  examples: readonly Example[];
  command?: (derivation: Derivation) => Command;
  description?: string;
  /** Flags whose name differs from the field's name, such as `{ timeout: "ring-timeout" }`. */
  flagNames?: Readonly<Record<string, string>>;
  /** Set if only this action accepts a unique name instead of the ID. */
  referable?: Referable;
  rowFilters?: readonly RowFilter[];
  flagHelp?: Readonly<Record<string, string>>;
  loses?: (context: LossContext) => Promise<Loss>;
  /** Returns whether a row's status is final, for `--watch`. */
  isFinal?: (row: Fields) => boolean;
}

export interface LossContext {
  client: Client;
  id: string;
  signal: AbortSignal;
}

export interface Loss {
  /** `group "Customers"` */
  what: string;
  consequence?: string;
  note?: string;
}
