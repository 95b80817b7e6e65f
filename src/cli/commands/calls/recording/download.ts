import { basename, extname, join, resolve } from "node:path";
import { makePrivateFolder } from "../../../../base/private-file.js";
import { refusedError, usageError } from "../../../errors/errors.js";
import { isFields, textIn, valueAt } from "../../../output/fields.js";
import type { Command } from "../../../session/command.js";
import type { Input } from "../../../session/input.js";
import type { Connection, Session } from "../../../session/session.js";
import { createBulkProgress } from "../../../terminal/progress.js";
import { callArgument, readCallId } from "../call/id.js";
import { type Destination, download, type Progress } from "./file.js";

/** `voxctl calls recording download CALL [--output FILE|--output-dir DIR] [--resume] [--force]` */
export const downloadCommand: Command = {
  name: "download",
  summary: "Download a call's recording",
  description:
    "Without --output the file is named after the call and what it holds. It is complete once it has its name: until then it ends in .part, and --resume goes on where that stopped.",
  arguments: [callArgument],
  flags: [
    { name: "output", value: "file", description: "where to save it; how results are printed is -o" },
    { name: "output-dir", value: "folder", description: "save it there, named after the call", default: "." },
    { name: "resume", description: "go on with a file that was not finished" },
    { name: "force", description: "overwrite a file that exists" },
  ],
  examples: [
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568" },
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568 --output call.flac --resume" },
    { command: "voxctl calls recording download 65f1a0b2c3d4e5f601234568 --output-dir recordings -o json" },
  ],
  async run(session, input) {
    const id = readCallId(input.arguments[0]);
    const { resume, force } = { resume: input.on("resume") === true, force: input.on("force") === true };
    readPlace(input);
    const connection = await session.connect();
    const destination = await destinationOf(session, connection, input, id);
    const progress = createBulkProgress(session.notes, session.clock, connection.clock);
    const told: Progress = (bytes, total) =>
      progress.activity(
        total === undefined
          ? sizeText(bytes)
          : `${Math.floor((bytes / total) * 100)} % of ${sizeText(total)}`,
      );
    try {
      const saved = await download({
        connection,
        signal: session.signal,
        callId: id,
        destination,
        resume,
        force,
        onProgress: told,
      });
      progress.end();
      if (saved.wasComplete) session.notes.note(`${saved.file} was complete already`);
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

function readPlace(input: Input): void {
  if (input.has("output") && input.has("output-dir"))
    throw usageError("--output and --output-dir exclude each other");
  for (const flag of ["output", "output-dir"])
    if (input.text(flag) === "") throw usageError(`--${flag} is empty`);
  if (input.text("output") === "-") throw usageError("--output: a recording goes to a file, not to stdout");
}

async function destinationOf(
  session: Session,
  { client }: Connection,
  input: Input,
  id: string,
): Promise<Destination> {
  const file = input.text("output");
  const refuseExisting = (path: string) => {
    throw refusedError(
      `${path} exists; nothing was downloaded`,
      "--force overwrites it, --resume completes it",
    );
  };
  if (file !== undefined) {
    const path = resolve(session.io.cwd, file);
    return { shown: () => file, path: () => path, expected: path, refuseExisting };
  }
  // The name is made of the call, which a key that may only download can't read.
  const { data } = await client.call("calls.get", { path: { call_id: id } }, { signal: session.signal });
  const folder = input.text("output-dir") ?? ".";
  await makePrivateFolder(resolve(session.io.cwd, folder));
  const time = isFields(data) ? textIn(data, "created_at").replace(/\.\d+/, "") : "";
  const base = [time.replaceAll(":", "-"), id].filter((part) => part !== "").join("_");
  const named = (type: string) => `${safeName(base)}.${extensionOf(type)}`;
  const type = valueAt(data, "recording.content_type");
  return {
    shown: (contentType) => join(folder, named(contentType)),
    path: (contentType) => resolve(session.io.cwd, folder, named(contentType)),
    expected: resolve(session.io.cwd, folder, named(typeof type === "string" ? type : "")),
    refuseExisting,
  };
}

const extensions: Readonly<Record<string, string>> = {
  "audio/flac": "flac",
  "audio/x-flac": "flac",
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/x-wav": "wav",
  "audio/vnd.wave": "wav",
  "audio/mpeg": "mp3",
};

// public.operations.13b: clients dispatch on the Content-Type.
function extensionOf(contentType: string): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  return Object.hasOwn(extensions, type) ? (extensions[type] ?? "bin") : "bin";
}

/** A file's name that means the same everywhere, and never another folder. */
function safeName(text: string): string {
  const name = basename(text.replaceAll("\\", "/"))
    .replace(/[^A-Za-z0-9._+-]/g, "_")
    .replace(/^\.+/, "_")
    .slice(0, 120);
  return name === "" || extname(name) === name ? `recording${name}` : name;
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
