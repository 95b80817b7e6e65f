import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makePrivateFolder } from "../../../../base/private-file.js";
import { refusedError, usageError } from "../../../errors/errors.js";
import { assertResultFields } from "../../../output/field-names.js";
import { getValueAt, isFields } from "../../../output/fields.js";
import type { Command } from "../../../session/command.js";
import type { Input } from "../../../session/input.js";
import type { Connection, Session } from "../../../session/session.js";
import { createBulkProgress } from "../../../terminal/progress.js";
import { callArgument, readCallId } from "../call/id.js";
import { periodFlags } from "../call/period.js";
import { download, formatSetAside } from "./file.js";
import { findActualType, formatDefaultName, getExtension } from "./names.js";
import type { Destination, Progress } from "./partial-file.js";
import { createTurn } from "./turn.js";

/** `voxctl calls recording download CALL [--out FILE|DIR]`, or those of a period: `--from 7d` */
export const downloadCommand: Command = {
  name: "download",
  summary: "Download a call's recording, or those of a period",
  description:
    "Without --out, the file is named after the call and its type. Until it is complete, its name ends in .part. To resume an interrupted download, run the same command again. With --from, all recordings of a period are saved in the directory --out: existing ones are skipped.",
  arguments: [{ ...callArgument, optional: true }],
  flags: [
    {
      name: "out",
      value: "file|directory",
      description:
        "File to write, or an existing directory, or one with / at its end, in which the file is named after the call; - for standard output",
      default: "the current directory",
    },
    ...periodFlags,
    {
      name: "name",
      value: "template",
      description:
        "With --from: what files are called; {id} {date} {time} {from} {to} {direction} {status} {assistant}",
      default: "{date}T{time}Z_{id}",
    },
    { name: "force", description: "Overwrite an existing file, and ignore a partial one" },
  ],
  examples: [
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568" },
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568 --out call.flac" },
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568 --out recordings/ -o json" },
    {
      command: "voxctl calls recording download --from 7d --out recordings/",
      note: "A week's; given again, what is missing",
    },
    {
      command: "voxctl calls recording download --from 1d --out recordings/ --name {date}_{from}_{id}",
    },
  ],
  async run(session, input) {
    if (input.has("from")) {
      if (input.arguments.length > 0) throw usageError("<call> and --from exclude each other; give one");
      await (await import("./download-many.js")).downloadMany(session, input);
      return;
    }
    const stray = ["to", "assistant", "name"].find((flag) => input.has(flag));
    if (stray !== undefined) throw usageError(`--${stray} goes with --from`);
    if (input.arguments.length === 0) throw usageError("<call> is missing: its id, or --from TIME for many");
    const id = readCallId(input.arguments[0]);
    if (input.text("out") === "-") {
      if (session.flags.jq !== undefined || session.flags.fields)
        throw usageError("--out - prints the recording's bytes, of which --jq and --fields can take nothing");
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
          : `${Math.floor((bytes / total) * 100)} % of ${formatSize(total)}`,
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
          `${saved.file} contains ${actualType.toUpperCase()}, despite its file extension: the service sent this format`,
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

/** Whether a path names a directory: it exists as one, or ends with a separator. */
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
    throw refusedError(
      "file_exists",
      `${path} exists; nothing was downloaded`,
      "use --force to overwrite it",
    );
  };
  if (file !== undefined) {
    const path = resolve(session.io.cwd, file);
    return { shown: () => file, path: () => path, expected: path, isGiven: true, refuseExisting };
  }
  // The name is made of the call, which a key that may only download can't read.
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
