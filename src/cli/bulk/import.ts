import { createSuggester, formatSuggestion } from "../../base/suggestions.js";
import type { ContactInput } from "../../features/import/contacts/input.js";
import type { Seal } from "../../features/import/imports/import.js";
import type { ImportKeys } from "../../features/import/imports/keys.js";
import type { ReplaceBounds } from "../../features/import/planning/bounds.js";
import type { Source } from "../../features/import/sources/types.js";
import type { RunContext } from "../../write/engine/context.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import type { ImportGroup } from "../../write/plan/import-steps.js";
import { notFoundError } from "../errors/errors.js";
import { groupOf } from "../session/references/group.js";
import { isId } from "../session/references/references.js";
import type { BulkFlags } from "./bulk-flags.js";
import type { ImportFlags } from "./flags.js";
import { claimGroup, createGroup, findGroup, findGroupOfRuns, findSimilarGroup } from "./group.js";
import { type PlanOutput, type Sealed, sealImport } from "./plan-file.js";
import type { InputUnit } from "./rejected-rows.js";
import { withBulkRun } from "./run.js";
import type { BulkTarget } from "./target.js";

export interface GroupInput {
  description: string;
  /** Command that other runs show while they wait for this run, such as `contacts import kunden.csv`. */
  command: string;
  remarks: readonly string[];
  unit?: InputUnit;
  /**
   * Refuses an invalid import before its group is created.
   * @throws BulkError
   */
  check?: ((context: RunContext) => Promise<void>) | undefined;
  /**
   * Yields true for each item that can be imported, and false for all other items. Each call starts with the
   * first item.
   * @param emulatorId null for a service
   */
  usable(emulatorId: string | null): AsyncIterable<boolean>;
}

export interface GroupFlags extends BulkFlags {
  group: string;
  createGroup: boolean;
  strict: boolean;
  dryRun: boolean;
  plan?: PlanOutput | undefined;
  report: string | undefined;
}

export interface ImportTarget {
  groupId: string | undefined;
  groupName: string;
  groupIsNew: boolean;
  groupMade: boolean;
  profile: string;
  dryRun: boolean;
  seal?: Seal;
}

interface Imported {
  summary: WriteSummary;
  group: string;
  /** Undefined in a dry run if the group doesn't exist. */
  groupId: string | undefined;
  groupIsNew: boolean;
  sealed?: Sealed | undefined;
}

export interface ContactImportOptions {
  maps?: readonly string[];
  clearEmpty?: readonly string[];
  reading?: Readonly<Record<string, unknown>>;
  bounds?: ReplaceBounds;
  writeRejects?: ((errorOf: (number: number) => string | undefined) => Promise<void>) | undefined;
  rejects?: object | undefined;
  remarks?: readonly string[];
  keys?: KeysOfFile | undefined;
}

export interface KeysOfFile {
  check: NonNullable<GroupInput["check"]>;
  open(context: RunContext, into: ImportTarget): Promise<ImportKeys>;
}

/** @throws CliError, ClientError, BulkError */
export async function importContactsFile(
  target: BulkTarget,
  input: ContactInput,
  flags: ImportFlags,
  more: ContactImportOptions = {},
): Promise<Imported> {
  const { importContacts } = await import("../../features/import/index.js");
  const contacts = await toGroupInput(input, more);
  return importIntoGroup(target, "contacts", flags, contacts, async (context, into) =>
    importContacts(context, {
      ...into,
      input,
      keys: await more.keys?.open(context, into),
      country: flags.country,
      map: more.maps ?? [],
      clearEmpty: more.clearEmpty ?? [],
      reading: more.reading ?? {},
      bounds: flags.onMatch === "replace" ? more.bounds : undefined,
      ...{ writeRejects: more.writeRejects, rejects: more.rejects },
      match: flags.match,
      onMatch: flags.onMatch,
      strict: flags.strict,
      newRun: flags.newRun,
      resultsPath: flags.report,
    }),
  );
}

async function toGroupInput(
  input: ContactInput,
  { remarks = [], keys }: ContactImportOptions,
): Promise<GroupInput> {
  const { usableContacts } = await import("../../features/import/index.js");
  return {
    description: formatSource(input.source),
    command: `contacts import ${input.source.name}`,
    remarks,
    check: keys?.check,
    usable: (emulatorId) => usableContacts(input, emulatorId),
  };
}

/** @throws CliError, ClientError, BulkError */
export async function importIntoGroup(
  target: BulkTarget,
  type: Parameters<typeof findGroup>[2],
  flags: GroupFlags,
  input: GroupInput,
  start: (context: RunContext, target: ImportTarget) => Promise<WriteSummary>,
): Promise<Imported> {
  const { settleMilliseconds, outageMilliseconds, noWait, finalCheck } = flags;
  const { unit, command } = input;
  const { notes } = target;
  const action = flags.dryRun ? "Previewing the import of" : "Importing";
  notes.note(`${action} ${input.description} into group "${flags.group}", ${formatTarget(target)}`);
  for (const remark of input.remarks) notes.note(remark);
  return withBulkRun(
    target,
    { settleMilliseconds, outageMilliseconds, unit, command, noWait, finalCheck, isPreview: flags.dryRun },
    async (context) => {
      const { client, signal, requestStats, locks } = context;
      const { profile } = target;
      const nearest = createSuggester(flags.group);
      const { createOldestGroup } = await import("../../write/index.js");
      const oldest = createOldestGroup();
      const find = async () => {
        const named = await findGroup(client, flags.group, type, signal, nearest);
        if (named !== undefined || isId(flags.group)) return named;
        const ofRuns = await findGroupOfRuns(context, flags.group, type);
        // Search for similar names to avoid a duplicate, because the service may normalize names.
        if (ofRuns !== undefined || !flags.createGroup) return ofRuns;
        return findSimilarGroup(client, flags.group, type, { signal, oldest });
      };
      let existing = await find();
      if (existing === undefined && flags.createGroup && !flags.dryRun) {
        // Wait for other runs that may be creating this group, and search again.
        await locks.hold({ type, name: flags.group, oldestGroup: oldest.id });
        existing = await find();
      }
      if (existing === undefined && !flags.createGroup) {
        throw notFoundError(
          `${groupOf(type).noun} "${flags.group}" not found`,
          `${formatSuggestion(nearest)}use --create-group to create it, or list groups: \`voxctl groups list --type ${type}\``,
        );
      }
      const groupName = existing?.name ?? flags.group;
      // Print a note, because a user of --create-group may expect a new group.
      if (existing !== undefined && !isId(flags.group) && (flags.createGroup || groupName !== flags.group))
        notes.note(`Using the existing group "${groupName}".`);
      // Don't create a group for an import that is refused or has no valid rows.
      const isEmpty = existing === undefined && !(await hasAny(input.usable(requestStats.emulatorId)));
      if (existing === undefined && flags.dryRun && !isEmpty)
        notes.note(`Group "${groupName}" will be created.`);
      const isEmptyImport = isEmpty && !flags.dryRun;
      const isTried = existing === undefined && flags.strict;
      if (flags.dryRun || isEmptyImport || isTried) {
        const sealing = createSealing(flags, input, existing ?? { type, name: groupName });
        const groupId = existing?.id;
        const at = { groupId, groupName, groupIsNew: false, groupMade: false, profile, dryRun: true };
        const summary = await start(context, { ...at, ...(sealing && { seal: sealing.seal }) });
        if (isEmptyImport)
          notes.note(`Group "${groupName}" was not created because there is nothing to import.`);
        if (flags.dryRun || isEmptyImport)
          return { summary, group: groupName, groupId, groupIsNew: false, sealed: sealing?.sealed() };
      }
      const { forgetMadeGroup, madeGroups } = await import("../../write/index.js");
      const { folder, baseUrl } = context;
      if (flags.report !== undefined) await assertResultsFile(flags.report, target);
      if (existing === undefined) await input.check?.(context);
      const wanted = { name: flags.group, type };
      const group = existing ? { ...existing, isNew: false } : await createGroup(context, wanted, oldest.id);
      await claimGroup(context, group, wanted, oldest.id);
      if (group.isNew) notes.note(`Created group "${group.name}".`);
      const { id, name, isNew } = group;
      await locks.hold({ id });
      const groupMade = (await madeGroups(folder, baseUrl, name)).includes(id);
      const entered = { groupId: id, groupName: name, groupIsNew: isNew, groupMade, profile, dryRun: false };
      const summary = await start(context, entered);
      await forgetMadeGroup(folder, id);
      return { summary, group: name, groupId: id, groupIsNew: isNew };
    },
  );
}

function createSealing(
  { plan }: GroupFlags,
  { command }: GroupInput,
  group: ImportGroup,
): { seal: NonNullable<ImportTarget["seal"]>; sealed(): Sealed | undefined } | undefined {
  if (plan === undefined) return undefined;
  const [resource = ""] = command.split(" ");
  let sealed: Sealed | undefined;
  return {
    async seal(context, journal, identity, keys) {
      sealed = await sealImport(plan, context, journal, { resource, group, identity, keys });
    },
    sealed: () => sealed,
  };
}

async function assertResultsFile(path: string, { machineClock, signal }: BulkTarget): Promise<void> {
  const { openResultsFile } = await import("../../write/index.js");
  await (await openResultsFile(path, { clock: machineClock, signal })).close();
}

async function hasAny(results: AsyncIterable<boolean>): Promise<boolean> {
  for await (const result of results) if (result) return true;
  return false;
}

/** Formats the profile's name and the service's URL, so that the user notices a wrong target. */
export function formatTarget({ profile, baseUrl, inProcess }: BulkTarget): string {
  return `profile ${profile} (${inProcess ? "local emulator" : baseUrl})`;
}

const formatNames = { csv: "CSV", jsonl: "JSONL", json: "JSON", xlsx: "only sheet", vcard: "vCard" } as const;
const encodingNames = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
  "windows-1250": "Windows-1250",
  "windows-1254": "Windows-1254",
  "iso-8859-2": "ISO 8859-2",
  "iso-8859-15": "ISO 8859-15",
  macintosh: "Mac Roman",
  ibm850: "DOS code page 850",
} as const;

export function formatSource({ name, format, encoding, sheet, headerLine = 1 }: Source): string {
  const isTabs = format === "csv" && /\.(?:tsv|tab)$/i.test(name);
  const how = format === "xlsx" ? "" : `, ${encodingNames[encoding]}`;
  const part = sheet === undefined ? formatNames[format] : `sheet "${sheet}"`;
  const header = headerLine > 1 ? `, header in ${format === "xlsx" ? "row" : "line"} ${headerLine}` : "";
  return `${name === "-" ? "standard input" : name} (${isTabs ? "TSV" : part}${how}${header})`;
}

export function formatUnreadRemarks(unread: readonly string[], noun = "contact"): string[] {
  return unread.length === 0 ? [] : [`Columns without a ${noun} field: ${unread.join(", ")}`];
}
