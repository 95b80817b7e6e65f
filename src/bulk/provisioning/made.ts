import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { pathOf } from "../journal/folder.js";
import { identityOf, type RunType } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { planItemOf, stepOf } from "./items.js";
import { StoredSpec } from "./organization-spec.js";
import type { Made } from "./prune.js";

/** The organization spec with one name, for one service or one emulator state. */
export interface NamedSpec {
  /** The ids of the runs. */
  folder: string;
  baseUrl: string;
  emulatorId: string | null;
  name: string;
}

const Entry = z.union([
  z.object({ organization: z.string() }),
  z.object({ msp: z.string(), license: z.string() }),
]);
type Entry = z.infer<typeof Entry>;

const provisioningType: RunType = "provisioning";

/**
 * Returns the organizations and licenses that runs of this spec created (O3). Reads them from a separate
 * file, because journals are deleted after a month, and from the journals of unfinished runs. If that file is
 * lost, nothing counts as created by the spec, and nothing is deleted for it.
 */
export async function readMade(namedSpec: NamedSpec): Promise<Made> {
  const organizations = new Set<string>();
  const licenses = new Set<string>();
  const add = (entry: Entry) => {
    if ("organization" in entry) organizations.add(entry.organization);
    else licenses.add(JSON.stringify([entry.msp, entry.license]));
  };
  const text = await readFile(madePath(namedSpec), "utf8").catch(() => "");
  for (const line of text.split("\n")) {
    // A killed process may have left an incomplete line.
    const entry = line === "" ? undefined : Entry.safeParse(parsed(line)).data;
    if (entry !== undefined) add(entry);
  }
  for (const entry of await madeInJournals(namedSpec)) add(entry);
  return {
    hasOrganization: (id) => organizations.has(id),
    hasLicense: (mspId, license) => licenses.has(JSON.stringify([mspId, license])),
  };
}

/**
 * Stores what a run created. Synchronous and repeatable, so that it finishes before the run is marked as
 * finished.
 */
export function rememberMade(namedSpec: NamedSpec, journal: Journal): void {
  const entries = madeIn(journal);
  if (entries.length === 0) return;
  const path = madePath(namedSpec);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The line before may have been cut.
  appendFileSync(path, `\n${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`, { mode: 0o600 });
}

function madeIn(journal: Journal): Entry[] {
  const ids = new Map<string, string>();
  const entries: Entry[] = [];
  for (const item of itemsIn(journal)) {
    const { type, externalId, msp, license } = planItemOf(item);
    const { state, target } = item;
    if (stepOf(item) !== "create" || target === undefined) continue;
    if (type !== "license") ids.set(externalId, target);
    if (state !== "done") continue;
    const mspId = ids.get(msp);
    if (type === "license" && mspId !== undefined) entries.push({ msp: mspId, license: externalId });
    if (type !== "license") entries.push({ organization: target });
    if (type === "msp" && license !== null) entries.push({ msp: target, license });
  }
  return entries;
}

async function madeInJournals({ folder, baseUrl, emulatorId, name }: NamedSpec): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const file of await readdir(folder).catch(() => [])) {
    const id = /^([0-9a-f]{12}(?:-\d+)?)\.sqlite$/.exec(file)?.[1];
    if (id === undefined) continue;
    // A run that another process uses creates only items that are in its spec.
    const journal = await Journal.open(pathOf(folder, id), { create: false }).catch(() => undefined);
    if (journal === undefined) continue;
    try {
      const identity = identityOf(journal);
      const isOurs =
        identity?.kind === provisioningType && identity.base_url === baseUrl && identity.world === emulatorId;
      if (isOurs && StoredSpec.safeParse(journal.setting("plan")).data?.name === name)
        entries.push(...madeIn(journal));
    } finally {
      journal.close();
    }
  }
  return entries;
}

function madePath({ folder, baseUrl, emulatorId, name }: NamedSpec): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([baseUrl, emulatorId, name]))
    .digest("hex");
  return join(dirname(folder), "provisioned", `${hash.slice(0, 24)}.jsonl`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
