import type { SyncTask } from "../../features/sync/task.js";
import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import { sealFlags } from "./plan-file.js";

export const stateFlag: Flag = {
  name: "state",
  value: "file",
  description:
    "File that stores which resource belongs to each key, and the counts from the last run (JSONL)",
  default: "in the data directory",
  group: "Matching",
};

export function createSyncFlags({ noun, plural }: { noun: string; plural: string }): Flag[] {
  return [
    {
      name: "group",
      value: "name|id",
      description: "Group to synchronize with the file (required)",
      group: "Common",
    },
    ...createDeleteFlags({ noun, plural }),
    stateFlag,
    ...sealFlags,
    {
      name: "check",
      description: "Exit with code 10 if the group still differs from the file after the run",
      group: "Common",
    },
    { name: "dry-run", description: "Print what would change, without making changes", group: "Common" },
    {
      name: "report",
      value: "file",
      description: `Results file (NDJSON) with all rows and ${plural} that differed`,
      group: "Advanced",
    },
  ];
}

export function createDeleteFlags({ noun, plural }: { noun: string; plural: string }): Flag[] {
  return [
    {
      name: "delete",
      description: `Delete ${plural} that are not in the file (default: count and list them)`,
      group: "Common",
    },
    {
      name: "max-delete",
      value: "number|percent",
      description: `Stop if the number of ${plural} to delete exceeds this limit. To accept a file that looks truncated, set the exact number of deletions`,
      default: "10% of the group, at least 1 and at most 200",
      group: "Safety",
    },
    {
      name: "delete-duplicates",
      description: `If several ${plural} match a row, keep only the oldest ${noun}`,
      group: "Matching",
    },
    {
      name: "delete-newer",
      description: `Also delete ${plural} that were changed after the file was last changed`,
      group: "Safety",
    },
    {
      name: "expect-rows",
      value: "number|range",
      description: "Stop if the number of rows is not in this range, such as 100-150",
      group: "Safety",
    },
  ];
}

export interface SyncFlags {
  group: string;
  dryRun: boolean;
  planPath: string | undefined;
  isSending: boolean;
  isDeleting: boolean;
  check: boolean;
  report: string | undefined;
  task: Pick<
    SyncTask,
    | "keyColumn"
    | "options"
    | "deletes"
    | "deletesDuplicates"
    | "deletesNewer"
    | "acceptNewMap"
    | "acceptRekey"
  >;
}

/** @throws usage error (2) that names the flag */
export function readSyncFlags(
  input: Input,
  groupType: string,
  options: Readonly<Record<string, unknown>> = {},
): SyncFlags {
  const group = input.text("group");
  if (group === undefined || group.trim() === "") {
    throw usageError("missing required flag: --group", {
      hint: `list groups: \`voxctl groups list --type ${groupType}\``,
    });
  }
  const dryRun = input.on("dry-run") === true;
  const planPath = input.text("plan");
  const deletes = input.on("delete") === true;
  const deletesDuplicates = input.on("delete-duplicates") === true;
  return {
    group,
    dryRun,
    planPath,
    isSending: !dryRun && planPath === undefined,
    isDeleting: deletes || deletesDuplicates,
    check: input.on("check") === true,
    report: input.text("report"),
    task: {
      keyColumn: input.text("key"),
      options,
      deletes,
      deletesDuplicates,
      deletesNewer: input.on("delete-newer") === true,
      acceptNewMap: input.on("accept-new-map") === true,
      acceptRekey: input.on("accept-rekey") === true,
    },
  };
}
