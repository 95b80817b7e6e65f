import type { SyncTask } from "../../../bulk/sync/task.js";
import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import { sealFlags } from "./plan-file.js";

export const stateFlag: Flag = {
  name: "state",
  value: "file",
  description: "where keys and counts of the last run are kept (JSONL), for a cache of CI or a shared folder",
  default: "in the data folder",
};

/** Flags of every command that makes a group equal to a file. */
export function syncFlags({ noun, plural }: { noun: string; plural: string }): Flag[] {
  return [
    { name: "group", value: "name|id", description: "the group that is made equal to the file" },
    ...deleteFlags({ noun, plural }),
    {
      name: "protect-where",
      value: "field=value",
      description: `${plural} with this value are never deleted`,
      repeatable: true,
    },
    stateFlag,
    ...sealFlags,
    { name: "check", description: "end with 10 where group and file differ in the end" },
    { name: "dry-run", description: "read and compare everything, print the summary, send nothing" },
    {
      name: "report",
      value: "file",
      description: `where to write rows and ${plural} that are not simply equal (NDJSON)`,
    },
  ];
}

/** How far things may be deleted that are not in the file. */
export function deleteFlags({ noun, plural }: { noun: string; plural: string }): Flag[] {
  return [
    {
      name: "delete",
      description: `delete ${plural} that no row matches; without it they are counted and listed`,
    },
    {
      name: "max-delete",
      value: "number|percent",
      description: `refuse (12) where more ${plural} than this would be deleted`,
      default: "10% of the group, at least 1, at most 200",
    },
    {
      name: "delete-duplicates",
      description: `of several ${plural} that match one row keep the oldest ${noun} and delete the others`,
    },
    { name: "delete-newer", description: "delete, too, what others made or changed after the file was made" },
    {
      name: "expect-rows",
      value: "number|range",
      description: "refuse (12) a file with another number of rows: 100-150",
    },
    { name: "accept-shrink", description: "take a file that looks cut or halved beside the last one" },
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
    | "acceptShrink"
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
      acceptShrink: input.on("accept-shrink") === true,
      acceptNewMap: input.on("accept-new-map") === true,
      acceptRekey: input.on("accept-rekey") === true,
    },
  };
}
