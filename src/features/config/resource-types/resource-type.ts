/**
 * The definition of a resource type as data: its fields in files and in the API, their comparison, and the layout of its
 * files. Each type has its own file in this directory.
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

/** The form of a value, which determines its comparison. */
export type ValueForm =
  /** Text that the service trims. */
  | "name"
  | "phone"
  /** Compared exactly, except for the order of members. */
  | "exact"
  /** An object that the service fills with defaults: empty members don't count. */
  | "filled"
  /** The key of a resource; in the API, its id. */
  | "reference"
  /** Several keys, in any order. */
  | "references"
  | "voice"
  /** Write-only. */
  | "secret";

export interface FieldSpec {
  /** Dotted name in files and messages: `pre_call_webhook.url`. */
  readonly name: string;
  /** Dotted name in the API. */
  readonly api: string;
  readonly form: ValueForm;
  /** The resource type of a reference; for grouped types, the reference is to a group. */
  readonly to?: ResourceTypeName;
  /** Can't be changed after the resource is created. */
  readonly isImmutable?: true;
  /** Required by a create. */
  readonly isRequired?: true;
  /** An object that contains other fields: managed only if the file sets it to null. */
  readonly isWhole?: true;
  /** A map of headers: a value may be a reference to a secret, which is the field `headers.NAME`. */
  readonly isHeaders?: true;
  /** Cleared with an empty string: the API doesn't accept null. */
  readonly isNeverNull?: true;
}

/** An API resource as declared in a directory. */
export interface ResourceSpec {
  /** Name of the resource in the contract. */
  readonly resource: string;
  readonly fields: readonly FieldSpec[];
  /** The field with the display name, which identifies the resource if there is no lock. */
  readonly nameField: string;
  /** Members that a create requires and files never contain. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Whether an item's group can be changed. */
  readonly movesBetweenGroups?: boolean;
  /** API fields that a get returns but the list doesn't. */
  readonly unlisted?: readonly string[];
}

/** The layout of a type's files. */
type Layout =
  /** One YAML file per resource. */
  | "object"
  /** One Markdown file per resource. */
  | "document"
  /** One Markdown file per item, one directory per group. */
  | "folder"
  /** One YAML file per group, with its items. */
  | "items";

export interface ResourceType {
  readonly name: ResourceTypeName;
  readonly layout: Layout;
  readonly item: ResourceSpec;
  /** Spec of the groups, for grouped types. */
  readonly group?: ResourceSpec;
  /** The member that identifies an item in the layout `items`. */
  readonly itemKey?: string;
  /** Schema of a file before references are resolved; in Markdown, of the front matter. */
  readonly file: z.ZodType;
  /** Schema of `_group.yaml` in the layout `folder`. */
  readonly groupFile?: z.ZodType;
  /** The field that a Markdown body contains. */
  readonly body?: string;
}
