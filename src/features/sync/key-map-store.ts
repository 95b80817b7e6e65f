import { createHash } from "node:crypto";
import { existsSync, openSync, readFileSync, statSync } from "node:fs";
import { describeFsError } from "../../base/describe-fs-error.js";
import { hasCode } from "../../base/error-code.js";
import { type FileLock, LockedError, lockFile } from "../../base/file-lock.js";
import { makePrivateFolder } from "../../base/private-file.js";
import { replaceByRenameSync } from "../../base/temporary-file.js";
import { decodeUtf8 } from "../../base/utf8.js";
import { NotUtf8Error } from "../../base/utf8-error.js";
import { BulkError } from "../../write/errors.js";
import { type KeyMap, KeyMapHeader, KeyMapRow, keyMapPath, openKeyMap, withoutDoubtful } from "./key-map.js";

export interface KeyMapStore {
  /**
   * Returns the group's key map; for a group without a key map, an empty one.
   * @throws BulkError `state_busy`, `state_unreadable`
   */
  load(): Promise<KeyMap>;
  /**
   * Saves the key map. Must be called before the run is marked as finished.
   * @throws BulkError `state_changed` or `store_changed` if another process has changed the key map
   */
  save(table: KeyMap): void | Promise<void>;
  release(): void;
}

/** Stores the key map in the data directory, where the run's lock on the group protects it. */
export function createKeyMapStore(location: {
  baseUrl: string;
  groupId: string;
  folder: string;
}): KeyMapStore {
  let table: KeyMap | undefined;
  return {
    async load() {
      await makePrivateFolder(location.folder);
      table = await openKeyMap(keyMapPath(location, "sqlite"));
      return table;
    },
    save: (next) => table?.replaceWith(next),
    release: () => table?.close(),
  };
}

/** Stores the key map in a file that the user chose, for example in a CI cache. The file is JSON Lines. */
export function createKeyMapFileStore(path: string): KeyMapStore {
  let lock: FileLock | undefined;
  let table: KeyMap | undefined;
  let loaded: string | undefined;
  const refuse = (code: string, message: string, hint: string, cause?: unknown): never => {
    throw new BulkError(code, message, hint, { cause });
  };
  const read = (): Buffer | undefined => {
    try {
      return readFileSync(path);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      return refuse(
        "state_unreadable",
        `--state: ${path} can't be read: ${describeFsError(error)}`,
        "specify the path of a file",
        error,
      );
    }
  };
  return {
    async load() {
      // Check the file before locking it, so that no lock file remains next to another program's file.
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
        const bytes = read();
        if (bytes !== undefined && bytes.length > 0) headerOf(decodeKeyMap(bytes, path), path);
      }
      try {
        lock = await lockFile(path, "exclusive", 0);
      } catch (error) {
        const isBusy = error instanceof LockedError;
        refuse(
          isBusy ? "state_busy" : "state_unreadable",
          isBusy
            ? `--state: another run uses ${path}`
            : `--state: ${path} can't be used: ${describeFsError(error, "write")}`,
          isBusy
            ? "run the command again after that run has finished"
            : "use a file in an existing directory",
          error,
        );
      }
      const bytes = read();
      loaded = hashOf(bytes);
      table = await openKeyMap(":memory:");
      if (bytes !== undefined && bytes.length > 0) fillKeyMap(table, decodeKeyMap(bytes, path), path);
      return table;
    },
    save(next) {
      if (hashOf(read()) !== loaded)
        refuse(
          "state_changed",
          `--state: ${path} was changed by another process and was not written`,
          "the contacts were changed, but their keys were not saved; the next run matches the contacts by the --match fields",
        );
      const mode = statSync(path, { throwIfNoEntry: false })?.mode;
      try {
        const create = (draft: string) => openSync(draft, "wx", mode === undefined ? 0o600 : mode & 0o777);
        replaceByRenameSync(path, create, formatKeyMap(next));
      } catch (error) {
        refuse(
          "state_not_writable",
          `--state: ${path} can't be written: ${describeFsError(error, "write")}`,
          "the contacts were changed, but their keys were not saved; the next run matches the contacts by the --match fields",
          error,
        );
      }
      loaded = hashOf(read());
      table?.replaceWith(next);
    },
    release() {
      table?.close();
      lock?.release();
    },
  };
}

/**
 * Returns an empty key map if the file doesn't exist.
 * @throws BulkError `state_unreadable`
 */
export async function readKeyMapFile(path: string): Promise<KeyMap> {
  const table = await openKeyMap(":memory:");
  if (!existsSync(path)) return table;
  try {
    fillKeyMap(table, decodeKeyMap(readFileSync(path), path), path);
    return table;
  } catch (error) {
    table.close();
    throw error;
  }
}

function hashOf(bytes: Buffer | undefined): string {
  return bytes === undefined ? "" : createHash("sha256").update(bytes).digest("hex");
}

/** @throws BulkError `state_unreadable` */
function decodeKeyMap(bytes: Buffer, path: string): string {
  try {
    return decodeUtf8(bytes, path);
  } catch (cause) {
    throw noState(path, cause);
  }
}

export function formatKeyMap(table: KeyMap): string {
  const lines = [JSON.stringify(table.header())];
  for (const row of table.all()) lines.push(JSON.stringify(row));
  return `${lines.join("\n")}\n`;
}

/** @throws BulkError `state_unreadable` */
export function fillKeyMap(table: KeyMap, text: string, path: string): void {
  const [, ...lines] = text.split("\n");
  table.transaction(() => {
    const header = headerOf(text, path);
    table.setHeader({ ...header, voxctl_state: 2 });
    try {
      for (const line of lines) {
        if (line === "") continue;
        const row = KeyMapRow.parse(JSON.parse(line));
        const isOld = header.voxctl_state === 1;
        table.add(isOld ? { ...row, answer: withoutDoubtful(row.sent, row.answer) } : row);
      }
    } catch (cause) {
      throw noState(path, cause);
    }
  });
}

/** @throws BulkError `state_unreadable` */
function headerOf(text: string, path: string): KeyMapHeader {
  try {
    return KeyMapHeader.parse(JSON.parse(text.split("\n", 1)[0] ?? ""));
  } catch (cause) {
    throw noState(path, cause);
  }
}

function noState(path: string, cause: unknown): BulkError {
  return new BulkError(
    "state_unreadable",
    cause instanceof NotUtf8Error
      ? `--state: ${path} can't be read: ${describeFsError(cause)}`
      : `--state: ${path} is not a key map or was truncated`,
    "use a different file; with a new file, contacts are matched by the --match fields again",
    { cause },
  );
}
