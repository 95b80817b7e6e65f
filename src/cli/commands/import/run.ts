import type { ContactInput } from "../../../bulk/contacts/input.js";
import type { RunContext } from "../../../bulk/engine/run.js";
import type { ImportSummary } from "../../../bulk/engine/summary.js";
import { type BulkPlace, withBulkRun } from "../../bulk-run.js";
import { notFoundError } from "../../errors.js";
import type { Notes } from "../../session.js";
import type { ImportFlags } from "./flags.js";
import { createGroup, findGroup } from "./group.js";

/** What every import into a group is told by its flags. */
export interface GroupFlags {
  group: string;
  createGroup: boolean;
  strict: boolean;
  dryRun: boolean;
  settleMilliseconds: number | undefined;
}

/** The group that a run works in; its id is undefined in a dry run where there is none yet. */
export interface ImportTarget {
  groupId: string | undefined;
  groupName: string;
  groupIsNew: boolean;
  profile: string;
  dryRun: boolean;
}

/**
 * Imports a file of contacts that was opened, and shows how it goes.
 * @throws CliError, ClientError, BulkError
 */
export async function runImport(
  place: BulkPlace,
  input: ContactInput,
  flags: ImportFlags,
): Promise<{ summary: ImportSummary; group: string }> {
  const { importContacts } = await import("../../../bulk/index.js");
  describeInput(input, place.notes);
  return runIntoGroup(place, "contacts", flags, (context, target) =>
    importContacts(context, {
      ...target,
      input,
      country: flags.country,
      map: flags.map,
      match: flags.match,
      onMatch: flags.onMatch,
      strict: flags.strict,
      newRun: flags.newRun,
      reportPath: flags.report,
    }),
  );
}

/**
 * Finds or makes the group, starts an import into it, and shows how it goes.
 * @throws CliError, ClientError, BulkError
 */
export async function runIntoGroup(
  place: BulkPlace,
  type: Parameters<typeof findGroup>[2],
  flags: GroupFlags,
  start: (context: RunContext, target: ImportTarget) => Promise<ImportSummary>,
): Promise<{ summary: ImportSummary; group: string }> {
  return withBulkRun(place, flags, async (context) => {
    const { client, signal } = context;
    const { profile } = place;
    const found = await findGroup(client, flags.group, type, signal);
    if (found === undefined && !flags.createGroup) {
      throw notFoundError(
        `--group: no group of type ${type} is named "${flags.group}"`,
        `--create-group makes it; voxctl groups list --type ${type} shows those there are`,
      );
    }
    const groupName = found?.name ?? flags.group;
    // A strict import that is refused must not leave a group behind.
    if (flags.dryRun || (found === undefined && flags.strict)) {
      const at = { groupId: found?.id, groupName, groupIsNew: false, profile, dryRun: true };
      const summary = await start(context, at);
      if (flags.dryRun) return { summary, group: groupName };
    }
    const group = found ? { ...found, isNew: false } : await createGroup(client, flags.group, type, signal);
    const at = { groupId: group.id, groupName, groupIsNew: group.isNew, profile, dryRun: false };
    return { summary: await start(context, at), group: group.name };
  });
}

const formatNames = { csv: "CSV", jsonl: "JSONL", json: "JSON", xlsx: "the first sheet" } as const;
const encodingNames = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
} as const;

function describeInput({ source, columns }: ContactInput, notes: Notes): void {
  const encoding = source.format === "xlsx" ? "" : `, ${encodingNames[source.encoding]}`;
  notes.note(`${source.name}: ${formatNames[source.format]}${encoding}`);
  if (columns.wholeName !== undefined) {
    notes.note(`column "${columns.wholeName}" is taken as the first name; --map first_name=… names another`);
  }
  if (columns.unread.length > 0) {
    notes.note(`not read: ${columns.unread.map((name) => `"${name}"`).join(", ")} (--map reads more)`);
  }
}
