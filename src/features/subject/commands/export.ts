import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { hasCode } from "../../../base/error-code.js";
import { stringifyExactJson } from "../../../base/exact-json.js";
import { getValueAt } from "../../../base/fields.js";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withStoreCopies } from "../../../cli/bulk/store-copies.js";
import { CliError, exits, refusedError, usageError } from "../../../cli/errors/errors.js";
import { download } from "../../../cli/nouns/calls/recording/file.js";
import { getExtension } from "../../../cli/nouns/calls/recording/names.js";
import { assertResultFields } from "../../../cli/output/field-names.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import { ClientError } from "../../../client/errors.js";
import type { Copy } from "../index.js";
import { includeFlag, readIncluded, readSubject, subjectFlags } from "./flags.js";
import { localFlags, noteLocalSearch, readLocalOptions, searchLocalFiles, toLocalJson } from "./local.js";
import { assertSearched, createMatchers, noteSearched, searchSubject } from "./search.js";

export const exportSubject: Command = {
  name: "export",
  summary: "Export a caller's data as JSON, HTML and recordings",
  description:
    "Exports the caller's contacts and calls in full, and the passages about the caller in other calls, knowledge items " +
    "and prompts. A resource that matches only by name is omitted unless --include lists its ID.\n\nindex.html shows the data on one page " +
    "without scripts. manifest.json lists the searched and unsearched sources and the hash of each file. With --local, it also lists voxctl's files that contain the caller's data. Exits with code 68 if a " +
    "source can't be read. Review the export before you share it: the caller may have talked about other people.",
  arguments: [{ name: "directory", description: "New or empty directory; only you can read it" }],
  flags: [
    ...subjectFlags,
    { name: "recordings", description: "Also export the recordings of the caller's calls" },
    includeFlag,
    ...localFlags,
  ],
  examples: [
    { command: "voxctl subject export auskunft --phone +491713920001" },
    {
      command:
        "voxctl subject export auskunft --phone +491713920001 --email anna@example.org --details --recordings",
      note: "Search and export everything",
    },
  ],
  run: (session, input) => withRefusals(() => runExport(session, input)),
};

const resultFields = ["folder", "contacts", "calls", "mentions", "recordings", "not_read", "left_out"];

interface NotRead {
  where: string;
  id: string;
  reason: string;
}

async function runExport(session: Session, input: Input): Promise<void> {
  const typed = readSubject(input);
  const [shown = ""] = input.arguments;
  assertResultFields(session.flags.fields, resultFields);
  if (shown === "") throw usageError("<directory> is empty");
  const folder = resolve(session.io.cwd, shown);
  await assertEmpty(folder, shown);
  const localOptions = readLocalOptions(session, input);
  const matchers = await createMatchers(typed);
  const { matcher } = matchers;
  const search = await searchSubject(session, matcher, { texts: input.on("details") === true });
  const { findings, startedAt, endedAt, baseUrl, further } = search;
  const include = readIncluded(input, search);
  const local =
    localOptions &&
    (await withStoreCopies(session, "subject export", (copies) =>
      searchLocalFiles(session, matchers, search, localOptions, copies),
    ));
  const { buildCopy, formatSubjectHtml } = await import("../index.js");
  const copy = buildCopy(findings.resources, matcher, include);
  await makePrivateFolder(folder);
  const notRead: NotRead[] = [];
  const recordings = await saveRecordings(session, folder, copy, input.on("recordings") === true, notRead);
  const { searched, notSearched } = findings;
  const files = [...recordings.values()];
  const write = async (name: string, text: string) => {
    await writePrivateFile(join(folder, name), text, { replace: false });
    files.push(name);
  };
  const { contacts, calls, mentions, left } = copy;
  await write(
    "data.json",
    `${stringifyExactJson({ contacts: contacts.map(getRecord), calls: calls.map(getRecord), mentions }, 2)}\n`,
  );
  await write(
    "index.html",
    formatSubjectHtml({ service: baseUrl, startedAt, copy, searched, notSearched, recordings }),
  );
  const manifest = {
    ...{ manifest: 1, made_by: `voxctl ${version}`, service: baseUrl },
    ...{ started_at: startedAt, ended_at: endedAt, asked_for: typed, searched },
    not_searched: notSearched.map(({ where, id, reason }) => ({ where, id, reason })),
    ...{ not_read: notRead, left_out: left, further },
    ...(local === undefined ? {} : { local: toLocalJson(local) }),
    files: await Promise.all(files.map((name) => describeFile(folder, name))),
    statement:
      "This export contains all matches that were found in the listed sources at this time. Other data may exist.",
  };
  await write("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  noteSearched(session, { ...findings, further });
  noteLocalSearch(session, local);
  await session.output.item({
    ...{ folder: shown, contacts: contacts.length, calls: calls.length, mentions: mentions.length },
    ...{ recordings: recordings.size, not_read: notRead.length, left_out: left.length },
  });
  if (left.length > 0)
    session.notes.note(
      `Omitted ${formatCount(left.length, "uncertain match", "uncertain matches")}, listed in manifest.json; to include one, use --include ID.`,
    );
  session.notes.note("Review the export before you share it: the caller may have talked about other people.");
  for (const { where, id, reason } of notRead) session.notes.warn(`${where} ${id}: ${reason}`);
  if (notRead.length > 0)
    throw new CliError({
      ...{ exit: exits.partlyDone, code: "partly_done", outcome: "done" },
      message: `${formatCount(notRead.length, "recording")} could not be read; see manifest.json`,
    });
  assertSearched(findings, local);
}

const getRecord = ({ record }: Copy["calls"][number]) => record;

/** @throws refused error (12) if the directory is not empty */
async function assertEmpty(folder: string, shown: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw usageError(`${shown} can't be written: ${describeFsError(error, "write")}`, { cause: error });
  });
  if (names.length > 0)
    throw refusedError(
      "file_exists",
      `${shown} is not empty`,
      "use a new directory: an export contains the data of only one caller",
    );
}

/** @returns the recordings' paths by call ID, relative to the directory */
async function saveRecordings(
  session: Session,
  folder: string,
  { calls }: Copy,
  isRequested: boolean,
  notRead: NotRead[],
): Promise<Map<string, string>> {
  const saved = new Map<string, string>();
  const withRecording = calls.filter(({ record }) => getValueAt(record, "recording.available") === true);
  if (!isRequested) {
    if (withRecording.length > 0)
      session.notes.note(
        `Omitted the recordings from ${formatCount(withRecording.length, "call")}; to export them, use --recordings.`,
      );
    return saved;
  }
  // A call without this field may still have a recording.
  const tried = calls.filter(({ record }) => getValueAt(record, "recording.available") !== false);
  if (tried.length > 0) await makePrivateFolder(join(folder, "recordings"));
  for (const { id, record } of tried) {
    try {
      const file = await saveRecording(session, folder, id);
      saved.set(id, file);
    } catch (error) {
      session.signal.throwIfAborted();
      const isNone =
        error instanceof ClientError &&
        error.status === 404 &&
        getValueAt(record, "recording.available") !== true;
      if (isNone) continue;
      if (!(error instanceof ClientError) && !(error instanceof CliError)) throw error;
      notRead.push({ where: "recordings", id, reason: error.message });
    }
  }
  return saved;
}

async function saveRecording(session: Session, folder: string, id: string): Promise<string> {
  // The ID comes from the service and may not be safe as a file name.
  const name = /^[\w-]{1,64}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 24);
  const pathOf = (type: string) => join(folder, "recordings", `${name}.${getExtension(type)}`);
  const { file } = await download({
    connection: await session.connect(),
    signal: session.signal,
    callId: id,
    destination: {
      path: pathOf,
      shown: pathOf,
      expected: pathOf(""),
      isGiven: false,
      refuseExisting: () => {},
    },
    ...{ resume: false, force: false, onProgress: () => {} },
  });
  return `recordings/${basename(file)}`;
}

async function describeFile(
  folder: string,
  name: string,
): Promise<{ name: string; bytes: number; sha256: string }> {
  const path = join(folder, name);
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { name, bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}
