import type { Client } from "../../client/types.js";
import type { Operation, Operations } from "../../contract/operation.js";
import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../output/fields.js";
import type { Column } from "../output/output.js";
import type { Command, CommandNode } from "../session/command.js";
import type { Example } from "../session/input.js";
import type { Referable } from "../session/references/references.js";
import type { RowFilter } from "./row-filters.js";

/** How a resource looks on the command line: everything that its wire schemas don't say. */
export interface Noun {
  /** The operations' prefix and the command's name: `contacts`. */
  name: string;
  /** The words for one, and for several. */
  noun: string;
  plural: string;
  summary: string;
  description?: string;
  operations: Operations;
  /** Columns of its tables. */
  columns: readonly Column[];
  /** How `get` shows one on a terminal, where its fields do not fit a person's form. */
  detail?: (item: Fields) => Fields;
  /** Set where each has a name that people know it by: `get`, `update` and `delete` take it for the id. */
  referable?: Referable;
  /** Fields of queries and bodies that hold the id of something else; by them `group_id` becomes `--group NAME|ID`. */
  references?: Readonly<Record<string, Referable>>;
  /** By the operation's name. */
  verbs: Readonly<Record<string, Verb>>;
  /** Verbs written by hand. */
  commands?: readonly CommandNode[];
}

/** The sources of each verb's command. */
export interface Derivation {
  name: OperationName;
  operation: Operation;
  resource: Noun;
  verb: Verb;
}

export interface Verb {
  examples: readonly Example[];
  /** Makes the command in another way than its operation alone would: of the same parts, told what they can't know. */
  command?: (derivation: Derivation) => Command;
  description?: string;
  /** Flags whose field's name would not do: `{ timeout: "ring-timeout" }`. */
  flagNames?: Readonly<Record<string, string>>;
  /** Set where this verb alone takes a name for the id, as no two need have the same. */
  referable?: Referable;
  /** Filters of a list that the service does not have. */
  rowFilters?: readonly RowFilter[];
  /** The description of a flag, by field. */
  flagHelp?: Readonly<Record<string, string>>;
  /** For a delete: the question, and what else is deleted with it. */
  loses?: (context: LossContext) => Promise<Loss>;
  /** For a list that can be watched: has the row come to rest? */
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
  /** `12 contacts in it are deleted, too` */
  consequence?: string;
  /** Said where nothing else goes with it. */
  note?: string;
}
