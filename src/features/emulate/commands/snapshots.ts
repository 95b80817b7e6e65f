import { resolve } from "node:path";
import { resolveFileTarget, writeTarget } from "../../../base/file-target.js";
import { readInputText, unwritableFile } from "../../../base/input-file.js";
import { parseJsonSafely } from "../../../base/json.js";
import { fileExistsError, usageError } from "../../../cli/errors/errors.js";
import { assertResultFields } from "../../../cli/output/field-names.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { SnapshotFile } from "../../../contract/control/snapshots.js";
import {
  changeEmulator,
  confirmLoss,
  createControlCommand,
  emulatorFlags,
  omitUndefined,
  readEmulator,
} from "./control.js";

const name = { name: "name", description: "Name of the snapshot" };

const file = { name: "file", description: "JSON file for the snapshot" };

/**
 * Writes a file that only the owner can read, even if it replaces another file.
 * @throws refused error (12) if the file already exists, usage error (2) if it can't be written
 */
async function writeSnapshotFile(
  { io, clock, signal }: Session,
  path: string,
  data: object,
  replace: boolean,
): Promise<void> {
  const unwritable = (cause: unknown) => {
    throw unwritableFile(path, cause);
  };
  const target = await resolveFileTarget(resolve(io.cwd, path)).catch(unwritable);
  if (target.type === "file" && !replace) throw fileExistsError(path);
  await writeTarget(target, [`${JSON.stringify(data)}\n`], { clock, signal }).catch(unwritable);
}

/** @throws usage error (2) if the file is not a snapshot */
async function readSnapshotFile(session: Session, path: string): Promise<SnapshotFile> {
  const text = await readInputText(resolve(session.io.cwd, path), path);
  const data = parseJsonSafely(text);
  if (isSnapshotFile(data)) return data;
  throw usageError(`${path} is not a snapshot`, {
    hint: "write a snapshot to a file: `voxctl emulator snapshots export`",
  });
}

function isSnapshotFile(data: unknown): data is SnapshotFile {
  // Check only the file's outer structure, because the emulator validates the rest.
  return typeof data === "object" && data !== null && "voxctl_snapshot" in data && "tables" in data;
}

const toPathParameters = (input: Input) => ({ name: input.arguments[0] ?? "" });

export const snapshotCommands: readonly Command[] = [
  createControlCommand({
    name: "create",
    call: "snapshots.create",
    arguments: [{ ...name, optional: true }],
    examples: [{ command: "voxctl emulator snapshots create before-import" }],
    input: (input) => ({ body: omitUndefined({ name: input.arguments[0] }) }),
  }),
  {
    name: "restore",
    summary: "Restore the state and the clock from a snapshot",
    arguments: [name],
    flags: emulatorFlags,
    confirms: true,
    examples: [{ command: "voxctl emulator snapshots restore before-import --yes" }],
    run: (session, input) =>
      changeEmulator(session, input, async (control, target) => {
        await confirmLoss(
          session,
          target,
          `Restore snapshot "${input.arguments[0]}"? Changes made after it will be lost.`,
        );
        await session.output.item(await control("snapshots.restore", { path: toPathParameters(input) }));
      }),
  },
  {
    name: "export",
    summary: "Write a snapshot to a file",
    description:
      "Writes the whole emulator state as JSON: organizations, resources, calls and the clock, including personal data. API keys, credentials and header values are omitted unless you use --secrets; URLs of webhooks and tools are always complete, even if they contain a token. The request log is always omitted.",
    arguments: [name, file],
    flags: [
      {
        name: "secrets",
        description: "Include key digests, credentials and header values",
      },
      { name: "force", description: "Overwrite an existing file" },
      ...emulatorFlags,
    ],
    examples: [{ command: "voxctl emulator snapshots export before-import praxis.json" }],
    run: (session, input) =>
      readEmulator(session, input, async (control) => {
        const [snapshot = "", path = ""] = input.arguments;
        assertResultFields(session.flags.fields, ["name", "file", "taken_at", "secrets"]);
        const secrets = input.on("secrets") === true;
        const query = secrets ? { secrets: "true" as const } : {};
        const data = await control("snapshots.export", { path: { name: snapshot }, query });
        await writeSnapshotFile(session, path, data, input.on("force") === true);
        await session.output.item({ name: snapshot, file: path, taken_at: data.taken_at, secrets });
      }),
  },
  {
    name: "import",
    summary: "Add a snapshot from a file",
    description:
      "To use the snapshot, restore it. If it was exported with --secrets, its API keys replace those of this emulator. Otherwise, this emulator's initial keys give access to the snapshot's first organization and distributor.",
    arguments: [name, file],
    flags: emulatorFlags,
    examples: [{ command: "voxctl emulator snapshots import colleague praxis.json" }],
    run: (session, input) =>
      changeEmulator(session, input, async (control) => {
        const [snapshot = "", path = ""] = input.arguments;
        const body = await readSnapshotFile(session, path);
        await session.output.item(await control("snapshots.import", { path: { name: snapshot }, body }));
      }),
  },
];
