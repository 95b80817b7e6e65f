import { usageError } from "../../../cli/errors/errors.js";
import { accessFlags } from "../../../cli/session/access-flags.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import { listedIn } from "../../../cli/session/listed.js";
import type { Bound, PlanOptions } from "../decision.js";
import type { ResourceTypeName } from "../resource-types/resource-type.js";

/** A copy of the parser's list, because an import would load the whole parser to print help. */
const resourceTypes: Readonly<Record<ResourceTypeName, true>> = {
  assistants: true,
  prompts: true,
  knowledge: true,
  forwardings: true,
  glossary: true,
  pronunciation: true,
  calendars: true,
  tools: true,
  groups: true,
};
const isResourceType = (name: string): name is ResourceTypeName => Object.hasOwn(resourceTypes, name);
const resourceTypeNames = Object.keys(resourceTypes).filter(isResourceType);

export const folderFlag: Flag = {
  name: "directory",
  value: "path",
  description:
    "Configuration directory (default: the current directory or its nearest parent with a project file)",
};

export const targetFlag: Flag = {
  name: "target",
  value: "names",
  description: "Target in the project file, or several separated by commas",
  required: true,
};

const lockFlag: Flag = {
  name: "lock",
  value: "file",
  description: "Lock file",
  default: "locks/TARGET.jsonl",
};

export const targetFlags: readonly Flag[] = [targetFlag, folderFlag, lockFlag, ...accessFlags];

export const planFlags: readonly Flag[] = [
  ...targetFlags,
  {
    name: "prune",
    value: "types",
    joined: true,
    choices: [...resourceTypeNames, "adopted"],
    description:
      "Delete resources of these types (default: all except assistants) that this project created and whose file was removed; `adopted` also deletes adopted resources",
  },
  {
    name: "drift",
    value: "how",
    description: "How to treat changes made in the organization since the last apply",
    choices: ["refuse", "keep", "overwrite"],
    strict: true,
    default: "refuse",
  },
  {
    name: "resolve",
    value: "side",
    description: "Value to use if a field changed in both the file and the organization",
    choices: ["file", "live"],
    strict: true,
  },
  {
    name: "only",
    value: "key",
    repeatable: true,
    description: "Plan only the resource with this key and the resources that it refers to",
  },
  { name: "adopt", description: "Bind files to existing resources with the same name" },
  {
    name: "max-delete",
    value: "n|p%",
    description: "Maximum number of deletions per resource type",
    default: "30%, at least 3",
  },
  { name: "max-update", value: "n|p%", description: "Maximum number of updates per resource type" },
  { name: "rewrite-secrets", description: "Send all secrets, even unchanged ones" },
];

/** Commands that only compare need no limits, because they make no changes. */
export const lookOptions: PlanOptions = {
  drift: "keep",
  resolve: undefined,
  adopt: false,
  prune: undefined,
  pruneAdopted: false,
  only: undefined,
  maxDelete: undefined,
  maxUpdate: undefined,
  rewriteSecrets: false,
};

/** @throws usage error (2) */
export async function readPlanOptions(
  input: Input,
  limits: { max_delete?: string | undefined; max_update?: string | undefined },
): Promise<PlanOptions> {
  const { boundOf } = await import("../index.js");
  const readBound = (name: string, fallback: string | undefined): Bound | undefined => {
    const text = input.text(name) ?? fallback;
    if (text === undefined) return undefined;
    const parsed = boundOf(text);
    if (parsed === undefined)
      throw usageError(`invalid --${name}: expected a number or percentage, such as 4 or 10%`);
    return parsed;
  };
  const drift = input.text("drift");
  const resolve = input.text("resolve");
  const only = input.texts("only").flatMap((text) => listedIn(text, "--only"));
  return {
    drift: drift === "keep" || drift === "overwrite" ? drift : "refuse",
    resolve: resolve === "file" || resolve === "live" ? resolve : undefined,
    adopt: input.on("adopt") === true,
    ...readPrune(input.text("prune")),
    only: only.length === 0 ? undefined : only,
    maxDelete: readBound("max-delete", limits.max_delete),
    maxUpdate: readBound("max-update", limits.max_update),
    rewriteSecrets: input.on("rewrite-secrets") === true,
  };
}

/**
 * Without a type, `--prune` selects all types except assistants; `adopted` adds adopted resources.
 * @throws usage error (2)
 */
function readPrune(typed: string | undefined): Pick<PlanOptions, "prune" | "pruneAdopted"> {
  if (typed === undefined) return { prune: undefined, pruneAdopted: false };
  const names = typed === "*" ? [] : listedIn(typed, "--prune");
  const types = names.filter((name) => name !== "adopted");
  const invalid = types.find((name) => !isResourceType(name));
  if (invalid !== undefined)
    throw usageError(
      `invalid --prune "${invalid}": expected one of ${resourceTypeNames.join(", ")}, adopted`,
    );
  const all = resourceTypeNames.filter((type) => type !== "assistants");
  return {
    prune: types.length === 0 ? all : types.filter(isResourceType),
    pruneAdopted: types.length < names.length,
  };
}
