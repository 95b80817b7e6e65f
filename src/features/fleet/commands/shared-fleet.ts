/** Implements `Fleet` for fleet runs in a store, so that local and shared runs use the same loop. */
import * as z from "zod";
import type { StoredFleet, StoredMember } from "../../../store/index.js";
import {
  type Fleet,
  FleetAbout,
  type FleetHost,
  type MemberRow,
  memberStates,
  Reference,
  type TakenMember,
} from "../index.js";
import type { SharedFleets } from "./shared-store.js";

/** The encrypted data of a member, which never changes. */
const Content = z.object({
  labels: z.record(z.string(), z.string()),
  reference: Reference,
  words: z.array(z.string()),
  files: z.array(z.string()),
  oldestGroup: z.string().nullable(),
});
const Result = z.object({ summary: z.unknown(), error: z.string().nullable() });
const noResult = { summary: null, error: null };
const State = z.enum(memberStates);

export function toContent({ labels, reference, words, files, oldestGroup }: MemberRow): unknown {
  return { labels, reference, words, files, oldestGroup };
}

/**
 * Milliseconds between two reads of the tables. Up to two intervals can pass before the next member starts.
 */
const pollMilliseconds = 100;

export interface SharedFleet extends Fleet {
  update(stored: StoredFleet): void;
  readonly hasJobs: boolean;
  /** Returns undefined if the member must not run now. */
  begin(job: { id: string; fleet: string; name: string }): Promise<TakenMember | undefined>;
}

function jobsOf(members: readonly StoredMember[]): string[] {
  return members.flatMap(({ state, job }) => (state === "waiting" && job !== null ? [job] : []));
}

/**
 * @param checkMilliseconds interval at which the driver checks for lost jobs and for workers that have
 * stopped
 */
export async function openSharedFleet(
  { tables, roles }: SharedFleets,
  opened: StoredFleet,
  { now: machineNow, checkMilliseconds }: { now(): number; checkMilliseconds: number },
): Promise<SharedFleet> {
  const { formatPlace } = await import("../../../store/index.js");
  const { id } = opened;
  let stored = opened;
  const about = FleetAbout.parse(await tables.readContent(id));
  const contents = new Map(
    [...(await tables.readMemberContents(id))].map(([name, content]) => [name, Content.parse(content)]),
  );
  const results = new Map<string, z.output<typeof Result> & { endedAt: number | null }>();
  const resultOf = ({ name, endedAt }: StoredMember) => {
    const result = results.get(name);
    return result?.endedAt === endedAt ? result : undefined;
  };
  let offset = 0;
  let checkedAt = 0;
  let suspects = new Set<string>();
  const toRow = (member: StoredMember): MemberRow => {
    const content = contents.get(member.name);
    if (content === undefined) throw new Error(`the store has no data for member ${member.name}`);
    const { fence: _, worker, ...columns } = member;
    const { summary, error } = resultOf(member) ?? noResult;
    return {
      ...content,
      ...columns,
      state: State.parse(member.state),
      worker: worker === undefined ? null : formatPlace(worker),
      pid: null,
      summary,
      error,
    };
  };
  const readMembers = async (): ReturnType<typeof tables.listMembers> => {
    const read = await tables.listMembers(id, [...results.keys()]);
    // Drop the results of members that have run again. If one of these members has already ended, list the
    // members again to read its new result.
    const outdated = read.members.filter((member) => results.has(member.name) && !resultOf(member));
    for (const { name } of outdated) results.delete(name);
    for (const { name, endedAt } of read.members)
      if (read.results.has(name)) {
        const { summary, error } = Result.safeParse(read.results.get(name)).data ?? noResult;
        results.set(name, { summary, error, endedAt });
      }
    return outdated.some(({ endedAt }) => endedAt !== null) ? readMembers() : read;
  };
  const checkWorkers = async (members: readonly StoredMember[]): Promise<void> => {
    if (machineNow() - checkedAt < checkMilliseconds) return;
    checkedAt = machineNow();
    await roles.endLapsed(id, about.is_journaled ? "waiting" : "unknown");
    const lost = await roles.findLostJobs(jobsOf(members));
    // Recall a job only if it looks lost in two checks in a row: a worker may just have fetched a job that
    // looked lost in one check.
    await roles.recall(
      id,
      lost.filter((job) => suspects.has(job)),
    );
    suspects = new Set(lost);
  };
  let members: StoredMember[] = [];
  const fleet: SharedFleet = {
    id,
    about,
    get isStopping() {
      return stored.isStopping;
    },
    now: () => machineNow() + offset,
    update(next) {
      stored = next;
    },
    async listRows() {
      const read = await readMembers();
      offset = read.now - machineNow();
      members = read.members;
      if (roles.isDriving(id)) await checkWorkers(members);
      return members.map(toRow);
    },
    async drive(isWanted) {
      if (!isWanted) {
        await roles.stopDriving(id);
        return false;
      }
      return (roles.isDriving(id) || stored.driver === undefined) && roles.drive(id);
    },
    get hasJobs() {
      return stored.hasJobs;
    },
    async handOut(names) {
      await roles.handOut(id, names);
      stored = { ...stored, hasJobs: true };
    },
    async recall() {
      const jobs = jobsOf(members);
      if (jobs.length > 0) await roles.recall(id, jobs);
    },
    finish: (stop) => roles.finish(id, stop === null ? "finished" : "stopped", stop),
    requestStop: () => roles.requestStop(id),
    setProcess() {},
    async endMember({ name, job }, { summary, error, ...end }) {
      return roles.end(id, name, job, { ...end, result: tables.sealResult(id, name, { summary, error }) });
    },
    async begin(job) {
      const begun = await roles.begin(job);
      if (begun === undefined) return undefined;
      const { former, member } = begun;
      const row = toRow(member);
      if (former === undefined) return { fleet, row, former: null };
      // Include the runs of the worker that stopped: the command's summary might not list them.
      const runs = [...new Set([...row.runs, ...(await tables.findRuns(id, row.name))])];
      return { fleet, row: { ...row, runs }, former: formatPlace(former) };
    },
  };
  return fleet;
}

/**
 * @param list lists the runs in progress that this process works on
 * @param accepts returns whether this process is able to run the members of a run
 */
export function createSharedHost(
  shared: SharedFleets,
  {
    list,
    accepts,
    ...how
  }: {
    list(): Promise<readonly StoredFleet[]>;
    accepts(stored: StoredFleet, fleet: SharedFleet): Promise<boolean>;
    now(): number;
    checkMilliseconds: number;
  },
): FleetHost {
  const opened = new Map<string, { revision: number; fleet: SharedFleet | null }>();
  let current: SharedFleet[] = [];
  const open = async (stored: StoredFleet): Promise<SharedFleet | null> => {
    const known = opened.get(stored.id);
    if (known?.revision === stored.revision) return known.fleet;
    const fleet = await openSharedFleet(shared, stored, how);
    const isAccepted = await accepts(stored, fleet);
    opened.set(stored.id, { revision: stored.revision, fleet: isAccepted ? fleet : null });
    return isAccepted ? fleet : null;
  };
  return {
    pollMilliseconds,
    async listFleets() {
      current = [];
      for (const stored of await list()) {
        const fleet = await open(stored);
        fleet?.update(stored);
        if (fleet !== null) current.push(fleet);
      }
      return current;
    },
    async takeMembers(capacity) {
      if (!current.some(({ hasJobs }) => hasJobs)) return [];
      const taken: TakenMember[] = [];
      for (const job of await shared.roles.fetch(capacity)) {
        const fleet = current.find(({ id }) => id === job.fleet);
        if (fleet === undefined) await shared.roles.giveBack(job);
        else taken.push(...[await fleet.begin(job)].flatMap((member) => member ?? []));
      }
      return taken;
    },
  };
}
