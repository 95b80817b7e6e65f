/**
 * Describes a resource type as data: its fields in files and in the API, how they are compared, and the layout of its
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

/** The form of a value. Determines how the value is compared. */
export type ValueForm =
  /** Text that the service trims. */
  | "name"
  | "phone"
  /** Compared exactly, except for the order of members. */
  | "exact"
  /** An object in which the service sets omitted members to defaults. Empty members are ignored in comparisons. */
  | "filled"
  /** In files, a resource's key; in the API, its id. */
  | "reference"
  /** Several references, in any order. */
  | "references"
  | "voice"
  /** Write-only. */
  | "secret";

export interface FieldSpec {
  /** Dotted name in files and messages, such as `pre_call_webhook.url`. */
  readonly name: string;
  /** Dotted name in the API. */
  readonly api: string;
  readonly form: ValueForm;
  /** The resource type that a reference refers to. If the type has groups, the reference is to a group. */
  readonly to?: ResourceTypeName;
  readonly isImmutable?: true;
  /** Whether a create requires the field. */
  readonly isRequired?: true;
  /**
   * An object, such as a webhook, whose members are separate fields. The object itself is a field only if the
   * file sets it to null.
   */
  readonly isWhole?: true;
  /** A map of headers. If a header's value is a secret, the secret's name is `headers.NAME`. */
  readonly isHeaders?: true;
  /** Whether an empty string clears the field. The API doesn't accept null. */
  readonly isNeverNull?: true;
}

/** An API resource that a directory can declare. */
export interface ResourceSpec {
  /** Name of the resource type in the contract. */
  readonly resource: string;
  readonly fields: readonly FieldSpec[];
  /** The field with the display name. It identifies the resource if there is no lock entry. */
  readonly nameField: string;
  /** Members that a create requires but that files never contain. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Whether an item can be moved to another group. */
  readonly movesBetweenGroups?: boolean;
  /** API fields that a get returns but the list doesn't. */
  readonly unlisted?: readonly string[];
}

type Layout =
  /** One YAML file per resource. */
  | "object"
  /** One Markdown file per resource. */
  | "document"
  /** One Markdown file per item, and one directory per group. */
  | "folder"
  /** One YAML file per group, including its items. */
  | "items";

export interface ResourceType {
  readonly name: ResourceTypeName;
  readonly layout: Layout;
  readonly item: ResourceSpec;
  /** The groups' spec, for grouped types. */
  readonly group?: ResourceSpec;
  /** The member that identifies an item. Only in the layout `items`. */
  readonly itemKey?: string;
  /** Schema of a file before references are resolved. For Markdown, this is the front matter's schema. */
  readonly file: z.ZodType;
  /** Schema of `_group.yaml`. Only in the layout `folder`. */
  readonly groupFile?: z.ZodType;
  /** The field that is stored as the body of a Markdown file. */
  readonly body?: string;
}
