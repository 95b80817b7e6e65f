/** Describes a resource type as data: its fields in files and in the API, and the layout of its files. */
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

export type ValueForm =
  /** Text that the service trims. */
  | "name"
  | "phone"
  /** Compared exactly, except for the order of members. */
  | "exact"
  /** An object in which the service sets omitted members to defaults. Comparisons ignore empty members. */
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
  readonly api: string;
  readonly form: ValueForm;
  /** Resource type that the field refers to. For a type with groups, the field refers to its groups. */
  readonly to?: ResourceTypeName;
  readonly isImmutable?: true;
  readonly isRequired?: true;
  /** The value is an object whose members are separate fields; a file sets the field itself only to null. */
  readonly isWhole?: true;
  /** The secret of a header is named after this field, such as `headers.NAME`. */
  readonly isHeaders?: true;
  /** Whether an empty string clears the field, because the API doesn't accept null. */
  readonly isNeverNull?: true;
}

export interface ResourceSpec {
  readonly resource: string;
  readonly fields: readonly FieldSpec[];
  /** Field with the display name, which identifies a resource without a lock entry. */
  readonly nameField: string;
  /** Members that every create request contains and files don't contain. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly movesBetweenGroups?: boolean;
  /** API fields that lists omit. */
  readonly unlisted?: readonly string[];
}

type Layout =
  /** Each resource has a YAML file. */
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
  readonly group?: ResourceSpec;
  /** Member that identifies an item. Only in the layout `items`. */
  readonly itemKey?: string;
  /** Schema of a file before references are resolved. In Markdown, it applies to the front matter. */
  readonly file: z.ZodType;
  /** Schema of `_group.yaml`. Only in the layout `folder`. */
  readonly groupFile?: z.ZodType;
  /** Field that is the body of a Markdown file. */
  readonly body?: string;
}
