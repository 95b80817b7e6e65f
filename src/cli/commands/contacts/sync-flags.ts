import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import { readMatch } from "../bulk/flags.js";
import { matchFlag, readFileFlags } from "./file-flags.js";

export const syncFlags: readonly Flag[] = [
  { name: "group", value: "name|id", description: "the group that is made equal to the file" },
  {
    name: "key",
    value: "column",
    description:
      "the row's identity is this column, as a customer number: a row with a known key is the same contact, whatever else changed",
  },
  matchFlag,
  {
    name: "delete",
    description: "delete contacts that no row matches; without it they are counted and listed",
  },
  {
    name: "max-delete",
    value: "number|percent",
    description: "refuse (12) where more contacts than this would be deleted",
    default: "10% of the group, at least 1, at most 200",
  },
  {
    name: "delete-duplicates",
    description: "of several contacts that match one row keep the oldest and delete the others",
  },
  {
    name: "delete-newer",
    description: "delete, too, what others made or changed after the file was made",
  },
  {
    name: "protect",
    value: "file",
    description: "contacts of this file, which has the same columns, are never deleted",
  },
  {
    name: "protect-where",
    value: "field=value",
    description: "contacts with this value are never deleted: last_name=Intern",
    repeatable: true,
  },
  {
    name: "expect-rows",
    value: "number|range",
    description: "refuse (12) a file with another number of rows: 100-150",
  },
  {
    name: "accept-shrink",
    description: "take a file that looks cut or halved beside the last one",
  },
  {
    name: "accept-new-map",
    description: "with --key: create rows although no key is known yet and the group is filled",
  },
  {
    name: "accept-rekey",
    description: "with --key: take it that many known keys stand for somebody else now",
  },
  {
    name: "state",
    value: "file",
    description:
      "where keys and counts of the last run are kept (JSONL), for a cache of CI or a shared folder",
    default: "in the data folder",
  },
  {
    name: "source-command",
    value: "command",
    description: "read what this program prints; if it does not end with 0, nothing happens",
  },
  { name: "plan", value: "file", description: "seal what would be sent as a plan, and send nothing" },
  { name: "force", description: "replace the file that --plan names" },
  { name: "check", description: "end with 10 where group and file differ in the end" },
  { name: "dry-run", description: "read and compare everything, print the summary, send nothing" },
  {
    name: "report",
    value: "file",
    description: "where to write rows and contacts that are not simply equal (NDJSON)",
  },
];

export type SyncFlags = ReturnType<typeof readFlags>;

/** @throws usage error (2) that names the flag */
export function readFlags(input: Input) {
  const group = input.text("group");
  if (group === undefined || group.trim() === "") {
    throw usageError("--group is missing: the group that is made equal to the file, by name or id", {
      hint: "voxctl groups list --type contacts shows those there are",
    });
  }
  const dryRun = input.on("dry-run") === true;
  const planPath = input.text("plan");
  const clearEmpty = input.texts("clear-empty");
  const deletes = input.on("delete") === true;
  const deletesDuplicates = input.on("delete-duplicates") === true;
  return {
    group,
    file: readFileFlags(input),
    clearEmpty,
    dryRun,
    planPath,
    isSending: !dryRun && planPath === undefined,
    isDeleting: deletes || deletesDuplicates,
    check: input.on("check") === true,
    report: input.text("report"),
    task: {
      match: readMatch(input.text("match") ?? "phone"),
      keyColumn: input.text("key"),
      clearEmpty,
      deletes,
      deletesDuplicates,
      deletesNewer: input.on("delete-newer") === true,
      acceptShrink: input.on("accept-shrink") === true,
      acceptNewMap: input.on("accept-new-map") === true,
      acceptRekey: input.on("accept-rekey") === true,
    },
  };
}
