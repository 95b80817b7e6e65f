import { rm } from "node:fs/promises";
import { makePrivateFolder } from "../../base/private-file.js";
import type { SharedBlobs } from "../../write/engine/shared-runs.js";
import { BulkError } from "../../write/errors.js";
import type { FileRow, GroupKeys } from "../../write/plan/format.js";
import type { Learn, LearnedResult, Learning, UndoneResult } from "../../write/plan/task.js";
import { type KeyMap, type KeyMapHeader, keyMapPath, openKeyMap } from "./key-map.js";
import { createKeyMapFileStore, createKeyMapStore, type KeyMapStore } from "./key-map-store.js";
import { createSharedKeyMapStore } from "./shared-key-map.js";

export interface KeyMapLocation {
  baseUrl: string;
  /** Directory `sync/` in the data directory. */
  folder: string;
  /** Key maps in a shared store. If undefined, key maps are stored in `folder`. */
  blobs?: SharedBlobs | undefined;
  /** Returns the machine's time, in milliseconds since the epoch. */
  now(): number;
  /** Returns the path that replaces the user's key map file. In a rehearsal, this is the path of a copy. */
  remembered?(path: string): string;
}

interface OpenMap {
  store: KeyMapStore;
  table: KeyMap;
}

export function openKeyMapStore(
  location: Omit<KeyMapLocation, "now">,
  groupId: string,
  stateFile: string | undefined,
): KeyMapStore {
  if (stateFile !== undefined) return createKeyMapFileStore(location.remembered?.(stateFile) ?? stateFile);
  const at = { ...location, groupId };
  return location.blobs === undefined ? createKeyMapStore(at) : createSharedKeyMapStore(location.blobs, at);
}

/** @param open key map that the run has already opened; if undefined, each update opens the key map */
export function createLearner(location: KeyMapLocation, open?: OpenMap): Learn {
  const withMap = async (
    { keys, stateFile }: Pick<Learning, "keys" | "stateFile">,
    work: (present: KeyMap, next: KeyMap) => void,
  ): Promise<void> => {
    const at = { ...location, groupId: keys.group_id };
    const store = open?.store ?? openKeyMapStore(location, keys.group_id, stateFile);
    // Write to a file, because the rows may not fit into memory.
    const path = keyMapPath(at, "next.sqlite");
    try {
      const present = open?.table ?? (await store.load());
      assertKeyMapOf(present, location.baseUrl, keys.group_id);
      await makePrivateFolder(location.folder);
      await rm(path, { force: true });
      const next = await openKeyMap(path);
      try {
        next.transaction(() => work(present, next));
        await store.save(next);
      } finally {
        next.close();
        await rm(path, { force: true });
      }
    } finally {
      if (open === undefined) store.release();
    }
  };
  return {
    async check({ groupId, stateFile }) {
      // Only a key map file of the user can belong to a different group.
      if (open !== undefined || stateFile === undefined) return;
      const store = createKeyMapFileStore(location.remembered?.(stateFile) ?? stateFile);
      try {
        const present = await store.load();
        if (groupId !== undefined) assertKeyMapOf(present, location.baseUrl, groupId);
      } finally {
        store.release();
      }
    },
    applied: (learning) =>
      withMap(learning, (present, next) => {
        const { planId, keys } = learning;
        next.setHeader({ ...headerOf(location, keys), plan_id: planId });
        present.transaction(() => next.fill(() => addRows(present, next, learning.rows())));
        const deleted = resolveRows(next, learning.results());
        if ((present.header()?.finished_at ?? null) !== keys.former_at) keepLaterRows(present, next, deleted);
      }),
    undone: (learning, results) =>
      withMap(learning, (present, next) => {
        const { planId, keys } = learning;
        for (const row of present.all()) next.add(row);
        for (const result of results) revertLearnedKey(next, result);
        const header = present.header();
        if (header === undefined) return;
        // Restore the former header only if no later plan has replaced this plan's header.
        const isLast = header.plan_id === planId;
        next.setHeader(isLast ? { ...header, ...(keys.former ?? nothing), plan_id: undefined } : header);
      }),
  };
}

const nothing: GroupKeys["file"] = { rows: 0, invalid: 0, line_end: false };

/** @throws BulkError `state_of_other_group` */
export function assertKeyMapOf(keyMap: KeyMap, baseUrl: string, groupId: string, groupName = groupId): void {
  const header = keyMap.header();
  if (header === undefined || (header.base_url === baseUrl && header.group_id === groupId)) return;
  throw new BulkError(
    "state_of_other_group",
    `--state: the file belongs to group ${header.group_id} of ${header.base_url}, not to "${groupName}"`,
    "use a separate file for each group",
  );
}

function headerOf({ baseUrl, now }: KeyMapLocation, { group_id, column, file }: GroupKeys): KeyMapHeader {
  return {
    ...{ voxctl_state: 2, base_url: baseUrl, group_id, key: column, ...file },
    finished_at: new Date(now()).toISOString(),
  };
}

/** Keeps the current value of a field that a row omits. */
function addRows(present: KeyMap, next: KeyMap, rows: Iterable<FileRow>): void {
  for (const { row, key, id, digest, of_step, sent, answer, written } of rows) {
    const before = id === undefined ? undefined : present.byId(id);
    next.add(
      {
        ...{ position: row, key: key ?? null, id: id ?? null, digest: digest ?? null },
        sent: sent ?? before?.sent ?? {},
        answer: answer ?? before?.answer ?? {},
        written: written ?? before?.written ?? false,
      },
      of_step,
    );
  }
}

/** Returns the IDs of deleted contacts. */
function resolveRows(next: KeyMap, results: Iterable<LearnedResult>): ReadonlySet<string> {
  const deleted = new Set<string>();
  for (const { step, id, answerTo } of results) {
    if (step.op.endsWith(".delete")) {
      next.forget(id);
      deleted.add(id);
    } else next.resolve(step.step, id, answerTo);
  }
  next.dropUnresolved();
  return deleted;
}

/** Keeps rows that another run added since the plan was created, so that contacts are not created twice. */
function keepLaterRows(present: KeyMap, next: KeyMap, deleted: ReadonlySet<string>): void {
  for (const row of present.all()) {
    if (row.id === null || deleted.has(row.id) || next.byId(row.id) !== undefined) continue;
    const planned = row.key === null ? undefined : next.byKey(row.key);
    if (planned === undefined) next.add({ ...row, position: null });
    else if (planned.id === null && row.key !== null) next.adopt(row.key, row);
  }
}

function revertLearnedKey(next: KeyMap, { action, id, was, key, data }: UndoneResult): void {
  if (action === "delete") next.forget(id);
  else if (action === "update") next.restore(id, data);
  else {
    if (was !== undefined) next.forget(was);
    const isFree = key !== undefined && (next.byKey(key)?.id ?? null) === null;
    const row = { position: null, digest: null, sent: {}, answer: data, written: true };
    next.add({ ...row, id, key: isFree ? key : null });
  }
}
