/**
 * A kind of things that a configuration folder can hold, as data: its fields in files and in the API, how each of them
 * is compared, and how its files are laid out. One file per kind beside this one.
 */
import type * as z from "zod";

export const resourceTypeNames = [
  "assistants",
  "prompts",
  "knowledge",
  "forwardings",
  "glossary",
  "pronunciation",
  "calendars",
  "tools",
  "groups",
] as const;
export type ResourceTypeName = (typeof resourceTypeNames)[number];

/** The shape of a value, which decides how it is compared (C1). */
export type ValueForm =
  /** The service trims it. */
  | "name"
  | "phone"
  /** Compared exactly, its order of members aside. */
  | "exact"
  /** An object that the service fills with defaults: empty members don't count. */
  | "filled"
  /** The key of a thing, in the API its id. */
  | "reference"
  /** The same of several, in whatever order. */
  | "references"
  | "voice"
  /** Write-only. */
  | "secret";

export interface FieldSpec {
  /** In files and messages, with dots: `pre_call_webhook.url`. */
  readonly name: string;
  /** In the API, with dots. */
  readonly api: string;
  readonly form: ValueForm;
  /** The kind that a reference names; a group of that kind for those that lie in groups. */
  readonly to?: ResourceTypeName;
  /** Can't be changed once the thing is there. */
  readonly isImmutable?: true;
  /** A create wants it. */
  readonly isRequired?: true;
  /** Only managed where a file says null: the object around other fields. */
  readonly isWhole?: true;
  /** A map of headers: a value of it may be a secret by reference, a field `headers.NAME` of its own (U8). */
  readonly isHeaders?: true;
  /** The API has no null for it: an empty text clears it. */
  readonly isNeverNull?: true;
}

/** One resource of the API as a folder describes it. */
export interface ResourceSpec {
  /** Its name in the contract. */
  readonly resource: string;
  readonly fields: readonly FieldSpec[];
  /** The field by which people know it, and by which it is found again without a lock (L4). */
  readonly nameField: string;
  /** Never written, but wanted by a create. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Its group can be changed (A5). */
  readonly movesBetweenGroups?: boolean;
  /** Only a get shows these fields of the API. */
  readonly unlisted?: readonly string[];
}

/** How the files of a kind look. */
type Layout =
  /** A YAML file is a thing. */
  | "object"
  /** A Markdown file is a thing. */
  | "document"
  /** A Markdown file is a thing, its folder a group. */
  | "folder"
  /** A YAML file is a group with its items. */
  | "items";

export interface ResourceType {
  readonly name: ResourceTypeName;
  readonly layout: Layout;
  readonly item: ResourceSpec;
  /** The groups, where things lie in groups. */
  readonly group?: ResourceSpec;
  /** The member that tells items apart, in the layout `items`. */
  readonly itemKey?: string;
  /** A file as it is written, before references are resolved; in Markdown, the front matter. */
  readonly file: z.ZodType;
  /** The file `_group.yaml`, in the layout `folder`. */
  readonly groupFile?: z.ZodType;
  /** The field of Markdown's body. */
  readonly body?: string;
}
