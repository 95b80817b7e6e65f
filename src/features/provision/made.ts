import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { followLinks } from "../../base/lists.js";
import type { RunContext } from "../../write/engine/context.js";
import { identityOf, isSameService, type RunType, serviceIdOf } from "../../write/journal/identity.js";
import type { Journal } from "../../write/journal/journal.js";
import { eachIn } from "../../write/journal/outcome.js";
import { eachJournal, listRunIds } from "../../write/journal/read.js";
import { createPlannedSteps } from "../../write/plan/planned-steps.js";
import { sentOf } from "../../write/plan/sent.js";
import { recordOf } from "../../write/values.js";
import { aboutOf } from "./items.js";
import type { Made } from "./prune.js";

export interface NamedSpec {
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

const Recreated = z.object({ was: z.string(), now: z.string() });

const provisioningType: RunType = "provisioning";

/** Reads a file in addition to the journals, because journals are deleted after a month. */
export async function readMade(namedSpec: NamedSpec): Promise<Made> {
  const organizations = new Set<string>();
  const licenses = new Set<string>();
  const newIds = new Map(
    (await readEntries(recreatedPath(namedSpec), Recreated)).map(({ was, now }) => [was, now]),
  );
  const currentId = (id: string) => followLinks(newIds, id) ?? id;
  const add = (entry: Entry) => {
    if ("organization" in entry) organizations.add(currentId(entry.organization));
    else licenses.add(JSON.stringify([currentId(entry.msp), entry.license]));
  };
  for (const entry of await readEntries(madePath(namedSpec), Entry)) add(entry);
  for (const entry of await madeInJournals(namedSpec)) add(entry);
  return {
    hasOrganization: (id) => organizations.has(id),
    hasLicense: (mspId, license) => licenses.has(JSON.stringify([mspId, license])),
  };
}

/** Synchronous, so that the entries are stored before the run is marked as finished. */
export function remember({ folder, baseUrl, requestStats }: RunContext, journal: Journal): void {
  const name = journal.setting("spec_name");
  const entries = madeIn(journal);
  if (typeof name !== "string" || entries.length === 0) return;
  appendEntries(madePath({ folder, baseUrl, emulatorId: requestStats.emulatorId, name }), entries);
}

/** Stores the new IDs of recreated organizations, so that `--prune` still knows them. */
export function rememberRecreated({ folder, baseUrl, requestStats }: RunContext, undo: Journal): void {
  const entries = [...undo.done()].flatMap(
    ({ target: now, detail }) => Recreated.safeParse({ ...recordOf(detail), now }).data ?? [],
  );
  if (entries.length > 0)
    appendEntries(recreatedPath({ folder, baseUrl, emulatorId: requestStats.emulatorId }), entries);
}

function appendEntries(path: string, entries: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Start with a line break, because the previous line may be incomplete.
  appendFileSync(path, `\n${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`, { mode: 0o600 });
}

async function readEntries<T>(path: string, entry: z.ZodType<T>): Promise<T[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  // Skip lines that a killed process left incomplete.
  return text.split("\n").flatMap((line) => (line === "" ? [] : (entry.safeParse(parsed(line)).data ?? [])));
}

function madeIn(journal: Journal): Entry[] {
  const entries: Entry[] = [];
  const plannedOf = createPlannedSteps(journal);
  for (const item of eachIn(journal, "done")) {
    const { action, target } = item;
    if (action !== "create" || target === undefined) continue;
    const { kind, license } = aboutOf(item);
    const { organizationId: msp } = sentOf(journal, plannedOf(item)).path;
    if (kind !== "license") entries.push({ organization: target });
    else if (msp !== undefined) entries.push({ msp, license: target });
    if (kind === "msp" && license !== null) entries.push({ msp: target, license });
  }
  return entries;
}

async function madeInJournals({ folder, baseUrl, emulatorId, name }: NamedSpec): Promise<Entry[]> {
  const here = { base_url: baseUrl, world: emulatorId };
  const entries: Entry[] = [];
  const ids = (await listRunIds(folder)).filter((id) => /^[0-9a-f]{12}(?:-\d+)?$/.test(id));
  // `eachJournal` skips runs that another process uses, so `--prune` doesn't delete the resources of such a
  // run yet.
  for await (const { journal } of eachJournal(folder, ids, () => {})) {
    const identity = identityOf(journal);
    const isOurs = identity?.kind === provisioningType && isSameService(identity, here);
    if (isOurs && journal.setting("spec_name") === name) entries.push(...madeIn(journal));
  }
  return entries;
}

function madePath({ name, ...service }: NamedSpec): string {
  return pathIn(service, [name]);
}

function recreatedPath(service: Omit<NamedSpec, "name">): string {
  return pathIn(service, []);
}

function pathIn({ folder, baseUrl, emulatorId }: Omit<NamedSpec, "name">, more: readonly string[]): string {
  const key = [serviceIdOf({ base_url: baseUrl, world: emulatorId }), emulatorId, ...more];
  const hash = createHash("sha256").update(JSON.stringify(key)).digest("hex");
  return join(dirname(folder), "provisioned", `${hash.slice(0, 24)}.jsonl`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
