import type { Client } from "../../client/types.js";
import type { Operations } from "../../contract/operation.js";
import type { Fields } from "../output/fields.js";
import type { Column } from "../output/output.js";
import type { CommandNode } from "../session/command.js";
import type { Example, Flag } from "../session/input.js";
import type { Referable } from "../session/references/references.js";
import type { Session } from "../session/session.js";
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
  /** Values that are offered when a field without choices is asked for, the most likely one first; another can be typed. */
  offers?: Readonly<Record<string, (session: Session) => Promise<readonly Offer[]>>>;
  /** The field that holds a secret: no flag sets it to a text, since others can read a command line. */
  secret?: string;
  /** Set where each has a name that people know it by: `get`, `update` and `delete` take it for the id. */
  referable?: Referable;
  /** Fields of queries and bodies that hold the id of something else; by them `group_id` becomes `--group NAME|ID`. */
  references?: Readonly<Record<string, Referable>>;
  /** By the operation's name. */
  verbs: Readonly<Record<string, Verb>>;
  /** Verbs written by hand. */
  commands?: readonly CommandNode[];
}

/** A value that is likely meant, and what it is. */
export interface Offer {
  value: string;
  description: string;
}

export interface Verb {
  examples: readonly Example[];
  description?: string;
  /** Columns of this verb, where the resource's don't fit. */
  columns?: readonly Column[];
  /** Flags whose field's name would not do: `{ timeout: "ring-timeout" }`. */
  flagNames?: Readonly<Record<string, string>>;
  /** Set where this verb alone takes a name for the id, as no two need have the same. */
  referable?: Referable;
  /** Filters of a list that the service does not have. */
  rowFilters?: readonly RowFilter[];
  /** Fields of a query that a list can't do without. */
  needs?: readonly string[];
  /** Fields of a query that are times: a day, or so long ago as `7d`, does for them, too. */
  times?: readonly string[];
  /** Fields of a query that are days: `today` and so long ago as `30d` do for them, too. */
  days?: readonly string[];
  /** The parts of one thing in a table of lines, for `-o csv`; undefined where it has none of those known. */
  lines?: (item: Fields) => readonly Fields[] | undefined;
  /** Fields that the profile may have a default for, of that name. */
  ofProfile?: Readonly<Record<string, NonNullable<Flag["ofProfile"]>>>;
  /** The description of a flag, by field. */
  flagHelp?: Readonly<Record<string, string>>;
  /** For a delete: the question, and what else is deleted with it. */
  loses?: (context: LossContext) => Promise<Loss>;
  /** For a list that can be watched: has the row come to rest? */
  isFinal?: (row: Fields) => boolean;
  /** Say it even where no question is asked. It costs reads: only for what takes other things with it. */
  losesAlways?: boolean;
}

export interface LossContext {
  client: Client;
  id: string;
  signal: AbortSignal;
}

interface Loss {
  /** `group "Customers"` */
  what: string;
  /** `12 contacts in it are deleted, too` */
  consequence?: string;
  /** Said where nothing else goes with it. */
  note?: string;
}
