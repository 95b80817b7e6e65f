import { readdir } from "node:fs/promises";
import { BulkError } from "../errors.js";
import { Journal } from "./journal.js";
import { identityOf, pathOf } from "./runs.js";

/** A run as a person looks at it. */
export interface RunInfo {
  id: string;
  kind: string | null;
  /** `running`: another process holds it, so nothing more can be said now. */
  state: "running" | "unfinished" | "finished" | "undone";
  file: string | null;
  group: string | null;
  group_id: string | null;
  profile: string | null;
  base_url: string | null;
  /** Requests that are through, and those still open. */
  done: number | null;
  open: number | null;
  started_at: string | null;
  finished_at: string | null;
}

/** Every run in the folder, the newest first. */
export async function listRuns(folder: string): Promise<RunInfo[]> {
  const names: string[] = await readdir(folder).catch(() => []);
  const runs: RunInfo[] = [];
  for (const name of names) {
    const id = /^(.+)\.sqlite$/.exec(name)?.[1];
    if (id !== undefined) runs.push(await runInfo(folder, id));
  }
  const time = ({ started_at }: RunInfo) => started_at ?? "9";
  return runs.sort((one, other) => (time(one) < time(other) ? 1 : time(one) > time(other) ? -1 : 0));
}

/** What is known of one run, without going on with it. */
export async function runInfo(folder: string, id: string): Promise<RunInfo> {
  let journal: Journal;
  try {
    journal = await Journal.open(pathOf(folder, id), { create: false });
  } catch (error) {
    if (!(error instanceof BulkError) || error.code !== "run_busy") throw error;
    return { id, state: "running", ...nothingKnown };
  }
  try {
    const text = (name: string) => {
      const value = journal.setting(name);
      return typeof value === "string" ? value : null;
    };
    const time = (name: string) => {
      const value = journal.setting(name);
      return typeof value === "number" ? new Date(value).toISOString() : null;
    };
    const identity = identityOf(journal);
    const finished = time("finished_at");
    return {
      id,
      kind: identity?.kind ?? null,
      state: time("undone_at") ? "undone" : finished ? "finished" : "unfinished",
      file: text("file"),
      group: text("group_name"),
      group_id: identity?.group_id ?? null,
      profile: text("profile"),
      base_url: identity?.base_url ?? null,
      done: journal.count("done") + journal.count("rejected"),
      open: journal.count("planned") + journal.count("sent") + journal.count("unknown"),
      started_at: time("started_at"),
      finished_at: finished,
    };
  } finally {
    journal.close();
  }
}

const nothingKnown = {
  kind: null,
  file: null,
  group: null,
  group_id: null,
  profile: null,
  base_url: null,
  done: null,
  open: null,
  started_at: null,
  finished_at: null,
};
