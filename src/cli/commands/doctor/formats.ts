import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "../../../base/error-code.js";
import { isFileName } from "../../../base/file-names.js";
import { quoteWord } from "../../../base/shell-words.js";
import { readSqliteVersion } from "../../../base/sqlite-header.js";
import { formatCount } from "../../../base/text.js";
import { readStoreSettings, withStoreConnection } from "../../bulk/store.js";
import { getRunsFolder } from "../../bulk/target.js";
import { getOfflineFile, offlineName } from "../../profiles/choose.js";
import type { ChosenProfile } from "../../profiles/profile.js";
import { readConfiguration } from "../../profiles/store.js";
import { locateMirror } from "../../session/mirrors.js";
import type { Session } from "../../session/session.js";
import { formatSuggestedCommand } from "../../session/suggested-command.js";
import type { Finding } from "./finding.js";

interface VersionedFile {
  path: string;
  /** Returns the command that updates the file. */
  update(): string | Promise<string>;
}

interface FileType {
  check: string;
  noun: string;
  current: number;
  files: readonly VersionedFile[];
}

const runsCheck = "run formats";
const runsExtension = ".sqlite";

export async function checkFormats(session: Session, profile?: ChosenProfile): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const type of await listFileTypes(session)) findings.push(...(await checkFileType(type)));
  return [...findings, ...(await checkStoreLayout(session, profile))];
}

export function listRunsOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ check }) => check === runsCheck)
    .flatMap(({ details = [] }) => details.map(({ path }) => basename(String(path), runsExtension)));
}

async function checkFileType({ check, noun, current, files }: FileType): Promise<Finding[]> {
  const details: { path: string; format: number; current: number; update: string }[] = [];
  for (const { path, update } of files) {
    const format = await readSqliteVersion(path);
    // The version is 0 if a process was killed while it created the file.
    if (format === undefined || format === 0 || format === current) continue;
    details.push({
      path,
      format,
      current,
      update: format > current ? "update voxctl" : `\`${await update()}\``,
    });
  }
  return ["older", "newer"].flatMap((age) => {
    const found = details.filter(({ format }) => (age === "older") === format < current);
    if (found.length === 0) return [];
    const commands = [...new Set(found.map(({ update }) => update))].join(", ");
    const [verb, them] = found.length === 1 ? ["has", "it"] : ["have", "them"];
    const remedy = age === "older" ? `to update ${them}, run ${commands}` : commands;
    const message = `${formatCount(found.length, noun)} ${verb} ${age === "older" ? "an older" : "a newer"} format: ${remedy}`;
    return [{ check, state: "warning" as const, message, details: found }];
  });
}

async function listFileTypes(session: Session): Promise<FileType[]> {
  const [{ schemaVersion }, { journalVersion }] = await Promise.all([
    import("../../../generated/whole-schema.js"),
    import("../../../write/journal/file.js"),
  ]);
  const runs = await listPaths(getRunsFolder(session), runsExtension);
  const mirrors = (await listNames(join(session.folders.data, "mirrors"))).filter(isFileName);
  return [
    {
      ...{ check: runsCheck, noun: "run", current: journalVersion },
      files: runs.map((path) => ({ path, update: () => "voxctl runs list" })),
    },
    {
      ...{ check: "databases", noun: "emulator database", current: schemaVersion },
      files: await listDatabases(session),
    },
    {
      ...{ check: "mirror formats", noun: "mirror", current: schemaVersion },
      files: mirrors.map((name) => ({
        path: locateMirror(session.folders, name).path,
        update: () => findMirrorUpdate(session, name),
      })),
    },
  ];
}

/** `mirror create` finishes an unfinished mirror, which `mirror refresh` refuses. */
async function findMirrorUpdate({ folders }: Session, name: string): Promise<string> {
  const { readMirror } = await import("../../../emulator/index.js");
  const isUnfinished = await readMirror(locateMirror(folders, name).path).then(
    (mirror) => mirror?.manifest === undefined && mirror?.isOtherVersion !== true,
    // If the mirror can't be read, a refresh may have locked it, and only finished mirrors are refreshed.
    () => false,
  );
  return `voxctl mirror ${isUnfinished ? "create" : "refresh"} ${quoteWord(name)}`;
}

/** Includes the databases of removed profiles. */
async function listDatabases({ folders }: Session): Promise<VersionedFile[]> {
  const { profiles } = await readConfiguration(folders).catch(() => ({ profiles: {} }));
  const databases = new Map([[getOfflineFile(folders, offlineName), offlineName]]);
  for (const [name, profile] of Object.entries(profiles))
    if (profile.kind === "offline") databases.set(profile.db, name);
  const files = [...databases].map(([path, name]) => ({
    path,
    update: () => `voxctl ping --profile ${quoteWord(name)}`,
  }));
  const others = (await listPaths(folders.data, ".db")).filter((path) => !databases.has(path));
  return [
    ...files,
    ...others.map((path) => ({ path, update: () => `voxctl emulator start --db ${quoteWord(path)}` })),
  ];
}

async function checkStoreLayout(session: Session, profile: ChosenProfile | undefined): Promise<Finding[]> {
  const check = "store";
  try {
    const settings = await readStoreSettings(session, profile === undefined ? {} : { profile });
    if (settings === undefined) return [];
    const { readLayout } = await import("../../../store/index.js");
    const { layout, current } = await withStoreConnection(settings, readLayout);
    if (layout === current) return [{ check, state: "ok", message: `layout ${layout}` }];
    const update = `\`${formatSuggestedCommand(session, "store init")}\``;
    const message = `layout ${layout} is outdated (current: ${current}): as the store's owner, run ${update}`;
    return [{ check, state: "warning", message, details: [{ layout, current, update }] }];
  } catch (error) {
    return [{ check, state: "warning", message: messageOf(error) }];
  }
}

async function listPaths(folder: string, extension: string): Promise<string[]> {
  const names = await listNames(folder);
  return names.filter((name) => name.endsWith(extension)).map((name) => join(folder, name));
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch((): string[] => [])).sort();
}
