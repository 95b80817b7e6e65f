import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { getValueAt, isFields } from "../../../../base/fields.js";
import { makePrivateFolder } from "../../../../base/private-file.js";
import { fileExistsError, usageError } from "../../../errors/errors.js";
import { assertResultFields } from "../../../output/field-names.js";
import type { Command } from "../../../session/command.js";
import type { Flag, Input } from "../../../session/input.js";
import type { Connection, Session } from "../../../session/session.js";
import { createBulkProgress } from "../../../terminal/progress.js";
import { callArgument, readCallId } from "../call/id.js";
import { periodFlags } from "../call/period.js";
import { download, formatSetAside } from "./file.js";
import { findActualType, formatDefaultName, getExtension } from "./names.js";
import type { Destination, Progress } from "./partial-file.js";
import { createTurn } from "./turn.js";

export const downloadCommand: Command = {
  name: "download",
  summary: "Download the recordings from a call or period",
  description:
    "With --from, saves all recordings from a period in the --out directory and skips existing files. To resume an interrupted download, run the same command again. Incomplete files have the extension .part.",
  arguments: [{ ...callArgument, optional: true }],
  flags: [
    {
      name: "out",
      value: "file|directory",
      description: "Output file or directory; a new directory must end with /; - for standard output",
      default: "the current directory",
    },
    ...periodFlags.map((flag): Flag => (flag.name === "from" ? flag : { ...flag, requires: "from" })),
    {
      name: "name",
      value: "template",
      description:
        "With --from: template for file names, with {id} {date} {time} {from} {to} {direction} {status} {assistant}",
      default: "{date}T{time}Z_{id}",
      requires: "from",
    },
    { name: "force", description: "Overwrite existing files and restart partial downloads" },
  ],
  examples: [
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568" },
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568 --out call.flac" },
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568 --out recordings/ -o json" },
    {
      command: "voxctl calls recording download --from 7d --out recordings/",
      note: "Download the missing recordings from the last 7 days",
    },
    {
      command: "voxctl calls recording download --from 1d --out recordings/ --name {date}_{from}_{id}",
    },
  ],
  async run(session, input) {
    if (input.has("from")) {
      if (input.arguments.length > 0) throw usageError("conflicting arguments: <call> and --from");
      await (await import("./download-many.js")).downloadMany(session, input);
      return;
    }
    if (input.arguments.length === 0) throw usageError("missing argument: <call>, or --from for a period");
    const id = readCallId(input.arguments[0]);
    if (input.text("out") === "-") {
      if (session.flags.jq !== undefined || session.flags.fields)
        throw usageError("--out - can't be used with --jq or --fields");
      await (await import("./to-stdout.js")).downloadToStdout(session, id);
      return;
    }
    assertResultFields(session.flags.fields, ["id", "file", "bytes", "content_type"]);
    if (input.text("out") === "") throw usageError("--out is empty");
    const connection = await session.connect();
    const destination = await createDestination(session, connection, input, id);
    const progress = createBulkProgress(session.notes, session.clock, connection.clock);
    const reportProgress: Progress = (bytes, total) =>
      progress.activity(
        total === undefined
          ? formatSize(bytes)
          : `${Math.floor((bytes / total) * 100)}% of ${formatSize(total)}`,
      );
    try {
      const saved = await download({
        connection,
        signal: session.signal,
        callId: id,
        destination,
        force: input.on("force") === true,
        onProgress: reportProgress,
        onSetAside: (draft, kept) => session.notes.warn(formatSetAside(draft, kept)),
        turn: createTurn(session),
      });
      progress.end();
      const actualType = findActualType(saved.file, saved.contentType);
      if (actualType !== undefined)
        session.notes.warn(
          `${saved.file} contains ${actualType.toUpperCase()}, which doesn't match its file extension`,
        );
      await session.output.item({
        id,
        file: saved.file,
        bytes: saved.bytes,
        content_type: saved.contentType,
      });
    } finally {
      progress.end();
    }
  },
};

async function isDirectory(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function createDestination(
  session: Session,
  { client }: Connection,
  input: Input,
  id: string,
): Promise<Destination> {
  const out = input.text("out");
  const isFolder =
    out === undefined || (await isDirectory(/[/\\]$/.test(out) ? out : resolve(session.io.cwd, out)));
  const file = isFolder ? undefined : out;
  const refuseExisting = (path: string) => {
    throw fileExistsError(path);
  };
  if (file !== undefined) {
    const path = resolve(session.io.cwd, file);
    return { shown: () => file, path: () => path, expected: path, isGiven: true, refuseExisting };
  }
  // Read the call only for the default file name, because some keys can download recordings but not read
  // calls.
  const { data } = await client.call("calls.get", { path: { call_id: id } }, { signal: session.signal });
  const folder = out ?? ".";
  await makePrivateFolder(resolve(session.io.cwd, folder));
  const base = formatDefaultName(isFields(data) ? data : {}, id);
  const named = (type: string) => `${base}.${getExtension(type)}`;
  const type = getValueAt(data, "recording.content_type");
  return {
    shown: (contentType) => join(folder, named(contentType)),
    path: (contentType) => resolve(session.io.cwd, folder, named(contentType)),
    expected: resolve(session.io.cwd, folder, named(typeof type === "string" ? type : "")),
    isGiven: false,
    refuseExisting,
  };
}

function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
