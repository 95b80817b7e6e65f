import type { SyncTask } from "../../../bulk/sync/task.js";
import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import { sealFlags } from "./plan-file.js";

export const stateFlag: Flag = {
  name: "state",
  value: "file",
  description: "File that stores the known keys and the counts of the last run (JSONL)",
  default: "in the data directory",
  group: "Matching",
};

/** Flags of every command that makes a group equal to a file. */
export function createSyncFlags({ noun, plural }: { noun: string; plural: string }): Flag[] {
  return [
    {
      name: "group",
      value: "name|id",
      description: "Group to make equal to the file (required)",
      group: "Common",
    },
    ...createDeleteFlags({ noun, plural }),
    stateFlag,
    ...sealFlags,
    {
      name: "check",
      description: "Exit with code 10 if group and file differ in the end",
      group: "Common",
    },
    { name: "dry-run", description: "Print what will change without changing it", group: "Common" },
    {
      name: "report",
      value: "file",
      description: `Results file (NDJSON) with all rows and ${plural} that were not equal`,
      group: "Advanced",
    },
  ];
}

/** Flags that bound the deletion of resources that are not in the file. */
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
      description: `Stop if more ${plural} will be deleted; the exact number also accepts a file that looks cut`,
      default: "10% of the group, from 1 to 200",
      group: "Safety",
    },
    {
      name: "delete-duplicates",
      description: `Keep only the oldest ${noun} of several that match a row`,
      group: "Matching",
    },
    {
      name: "delete-newer",
      description: `Also delete ${plural} that were changed after the file was created`,
      group: "Safety",
    },
    {
      name: "expect-rows",
      value: "number|range",
      description: "Stop if the file has another number of rows: 100-150",
      group: "Safety",
    },
  ];
}

/** The synchronization that a command's flags ask for, whatever it is of. */
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

/**
 * @param options that decide what is the same
 * @throws usage error (2) that names the flag
 */
export function readSyncFlags(
  input: Input,
  groupType: string,
  options: Readonly<Record<string, unknown>> = {},
): SyncFlags {
  const group = input.text("group");
  if (group === undefined || group.trim() === "") {
    throw usageError("--group is missing: the group that is made equal to the file, by name or id", {
      hint: `voxctl groups list --type ${groupType} shows those there are`,
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
