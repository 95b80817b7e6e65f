import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { parseJsonSafely } from "../../../base/json.js";
import { readUtf8 } from "../../../base/utf8.js";
import type { SnapshotFile } from "../../../contract/control/snapshots.js";
import { usageError } from "../../errors/errors.js";
import { assertResultFields } from "../../output/field-names.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import {
  changeEmulator,
  confirmLoss,
  createControlCommand,
  emulatorFlags,
  omitUndefined,
  readEmulator,
} from "./control.js";

const name = { name: "name", description: "the snapshot's name" };

const file = { name: "file", description: "a file in JSON" };

/** @throws usage error (2) where there is one already, or it can't be written */
async function writeSnapshotFile(
  session: Session,
  path: string,
  data: object,
  replace: boolean,
): Promise<void> {
  const target = resolve(session.io.cwd, path);
  await writeFile(target, `${JSON.stringify(data)}\n`, { mode: 0o600, flag: replace ? "w" : "wx" }).catch(
    (cause: unknown) => {
      const exists = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
      throw usageError(
        exists ? `${path} is there already` : `${path} can't be written: ${describeFsError(cause, "write")}`,
        { cause, ...(exists ? { hint: "--force replaces it" } : {}) },
      );
    },
  );
}

/** @throws usage error (2) where it is no snapshot */
async function readSnapshotFile(session: Session, path: string): Promise<SnapshotFile> {
  const text = await readUtf8(resolve(session.io.cwd, path)).catch((cause: unknown) => {
    throw usageError(`${path} can't be read: ${describeFsError(cause)}`, { cause });
  });
  const data = parseJsonSafely(text);
  if (isSnapshotFile(data)) return data;
  throw usageError(`${path} is no snapshot`, { hint: "voxctl emulator snapshots export writes one" });
}

/** The rest is the emulator's to judge. */
function isSnapshotFile(data: unknown): data is SnapshotFile {
  return typeof data === "object" && data !== null && "voxctl_snapshot" in data && "tables" in data;
}

const toPathParameters = (input: Input) => ({ name: input.arguments[0] ?? "" });

export const snapshotCommands: readonly Command[] = [
  createControlCommand({
    name: "list",
    call: "snapshots.list",
    examples: [{ command: "voxctl emulator snapshots list" }],
    view: {
      columns: [
        { header: "NAME", value: "name", keep: true },
        { header: "TIME OF THE WORLD", value: "taken_at" },
      ],
      empty: "no snapshots",
    },
  }),
  createControlCommand({
    name: "create",
    call: "snapshots.create",
    arguments: [{ ...name, optional: true }],
    examples: [{ command: "voxctl emulator snapshots create before-import" }],
    input: (input) => ({ body: omitUndefined({ name: input.arguments[0] }) }),
  }),
  {
    name: "restore",
    summary: "Make the world what it was, its clock included",
    arguments: [name],
    flags: emulatorFlags,
    examples: [{ command: "voxctl emulator snapshots restore before-import --yes" }],
    run: (session, input) =>
      changeEmulator(session, input, async (control, target) => {
        await confirmLoss(
          session,
          target,
          `Everything that came after the snapshot "${input.arguments[0]}" will be lost. Go on?`,
        );
        await session.output.item(await control("snapshots.restore", { path: toPathParameters(input) }));
      }),
  },
  {
    name: "export",
    summary: "Write a snapshot into a file, to hand it on",
    description:
      "The whole world as JSON: organizations, what is in them, calls, the clock. API keys, credentials and header values are left out unless --secrets is given; the request log always is. Contacts, calls and texts are in the file as they are.",
    arguments: [name, file],
    flags: [
      {
        name: "secrets",
        description: "with keys' digests, credentials and header values; the file must not get about",
      },
      { name: "force", description: "replace a file that is there" },
      ...emulatorFlags,
    ],
    examples: [{ command: "voxctl emulator snapshots export before-import world.json" }],
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
    summary: "Keep a snapshot from a file; restore makes it the world",
    description:
      "Keys of this world open the snapshot's first organization and distributor, unless the file was written with --secrets.",
    arguments: [name, file],
    flags: emulatorFlags,
    examples: [{ command: "voxctl emulator snapshots import colleague world.json" }],
    run: (session, input) =>
      changeEmulator(session, input, async (control) => {
        const [snapshot = "", path = ""] = input.arguments;
        const body = await readSnapshotFile(session, path);
        await session.output.item(await control("snapshots.import", { path: { name: snapshot }, body }));
      }),
  },
  {
    name: "delete",
    summary: "Delete a snapshot; the world stays as it is",
    arguments: [name],
    flags: emulatorFlags,
    examples: [{ command: "voxctl emulator snapshots delete before-import --yes" }],
    run: (session, input) =>
      changeEmulator(session, input, async (control, target) => {
        await confirmLoss(session, target, `Delete the snapshot "${input.arguments[0]}"?`);
        await session.output.item(await control("snapshots.delete", { path: toPathParameters(input) }));
      }),
  },
];
