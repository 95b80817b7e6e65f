import { describe, expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { decideNext, judgeExit } from "../../src/features/fleet/scheduler.js";
import { parseSelection } from "../../src/features/fleet/selection.js";
import { divideIntoWaves, parseAllowedFailures } from "../../src/features/fleet/waves.js";

interface Case {
  members: {
    name: string;
    wave: number;
    /** Exit code (-1 if the worker dies) and duration in milliseconds of each start. */
    starts: [number, number][];
  }[];
  holds: number[];
  allowed: number;
  parallel: number;
}

const death = -1;
const exitCodes = [0, 0, 0, 0, 0, 0, 12, 5, 9, 75, 143, death];

function randomCase(seed: number): Case {
  let draws = 0;
  const pick = (count: number) => {
    draws += 1;
    return Math.floor(seededDraw(seed, draws) * count);
  };
  const waves = 1 + pick(3);
  const members = Array.from({ length: 1 + pick(12) }, (_, index) => ({
    name: `m${String(index).padStart(2, "0")}`,
    wave: pick(waves),
    starts: Array.from({ length: 5 }, (): [number, number] => [
      exitCodes[pick(exitCodes.length)] ?? 0,
      1_000 * (1 + pick(90)),
    ]),
  }));
  const holds = Array.from({ length: waves }, () => (pick(4) === 0 ? 600_000 : 0));
  return { members, holds, allowed: pick(4), parallel: 1 + pick(4) };
}

function simulate({ members, ...limits }: Case): string[] {
  const started: string[] = [];
  const ends = new Map<string, { at: number; exit: number }>();
  let rows = members.map(({ name, wave }) => ({
    ...{ name, wave, attempts: 0 },
    ...{ notBefore: null as number | null, endedAt: null as number | null },
    state: "waiting" as Parameters<typeof decideNext>[0][number]["state"],
  }));
  for (let now = 0; ; ) {
    const decision = decideNext(rows, { ...limits, isStopping: false }, now);
    if (decision.isOver) return started;
    for (const name of decision.start) {
      const member = members.find((candidate) => candidate.name === name);
      const count = started.filter((line) => line.startsWith(`${name} `)).length;
      const [exit, duration] = member?.starts[count] ?? [0, 0];
      ends.set(name, { at: now + duration, exit });
      started.push(`${name} ${now}`);
      rows = rows.map((candidate) =>
        candidate.name === name ? { ...candidate, state: "running" } : candidate,
      );
    }
    if (decision.start.length > 0) continue;
    const [next] = [...ends].sort(([left, a], [right, b]) => a.at - b.at || (left < right ? -1 : 1));
    if (next !== undefined && next[1].at <= (decision.wakeAt ?? Number.POSITIVE_INFINITY)) {
      const [name, { at, exit }] = next;
      now = at;
      ends.delete(name);
      rows = rows.map((row) =>
        row.name !== name
          ? row
          : exit === death
            ? { ...row, state: "waiting" }
            : {
                ...row,
                ...judgeExit(exit, { attempts: row.attempts, now }, { okExits: [], isComparison: false }),
                endedAt: now,
              },
      );
    } else now = decision.wakeAt ?? now;
  }
}

/** A reference implementation of `simulate` that handles one wave at a time. */
function reference({ members, holds, allowed, parallel }: Case): string[] {
  const started: string[] = [];
  let now = 0;
  let failures = 0;
  let isStopped = false;
  const waits = [60_000, 300_000];
  for (const [wave, hold] of holds.entries()) {
    const queue = members
      .filter((member) => member.wave === wave)
      .map((member) => ({ ...member, count: 0, tried: 0, from: 0 }));
    const running: { member: (typeof queue)[number]; at: number; exit: number }[] = [];
    if (queue.length === 0) continue;
    while ((queue.length > 0 && !isStopped) || running.length > 0) {
      const ready = queue.filter(({ from }) => from <= now).sort((a, b) => (a.name < b.name ? -1 : 1))[0];
      if (!isStopped && ready !== undefined && running.length < parallel) {
        queue.splice(queue.indexOf(ready), 1);
        const [exit, duration] = ready.starts[ready.count] ?? [0, 0];
        running.push({ member: { ...ready, count: ready.count + 1 }, at: now + duration, exit });
        started.push(`${ready.name} ${now}`);
        continue;
      }
      const soonest = running.sort((a, b) => a.at - b.at || (a.member.name < b.member.name ? -1 : 1))[0];
      const later = Math.min(...queue.map(({ from }) => from).filter((from) => from > now));
      if (soonest === undefined || (!isStopped && later < soonest.at)) {
        now = later;
        continue;
      }
      running.shift();
      now = soonest.at;
      const { member, exit } = soonest;
      const wait = exit === 9 ? waits[member.tried] : undefined;
      if (exit === death) queue.push({ ...member, from: now });
      else if (wait !== undefined) queue.push({ ...member, tried: member.tried + 1, from: now + wait });
      else if (exit === 75) isStopped = true;
      else if (exit !== 0) {
        failures += 1;
        if (failures > allowed || hold > 0) isStopped = true;
      }
    }
    if (isStopped) return started;
    now += hold;
  }
  return started;
}

describe("the scheduler of a fleet", () => {
  test("for random outcomes, the scheduler matches a reference scheduler [G6, G8, G9, G10]", () => {
    for (let seed = 0; seed < 2_000; seed += 1) {
      const random = randomCase(seed);
      expect([seed, simulate(random)]).toEqual([seed, reference(random)]);
    }
  });

  test("failures never exceed the allowed number plus the members that run in parallel [G6]", () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const random = randomCase(seed);
      const failing: Case = {
        ...random,
        members: random.members.map((member) => ({ ...member, starts: [[5, 1_000 + seed]] })),
      };
      expect(simulate(failing).length).toBeLessThanOrEqual(random.allowed + random.parallel);
    }
  });

  test.each([
    ["0.9", 1, 0],
    ["0.9", 50, 0],
    ["2%", 1, 0],
    ["2%", 2, 0],
    ["2%", 50, 1],
    ["100%", 1, 1],
    ["100%", 2, 2],
    ["100%", 50, 50],
    ["7%", 100, 7],
    ["3", 2, 3],
  ])("with --max-failures %s, a run of %i members allows %i failures [G6]", (text, selected, allowed) => {
    expect(parseAllowedFailures(text)?.(selected)).toBe(allowed);
  });

  test("each member joins the first matching wave, with percentages rounded up [G4]", () => {
    const members = ["d", "b", "a", "c"].map((name) => ({ name, labels: { name } }));
    const hold = 0;
    const divided = divideIntoWaves(members, [
      { takes: { type: "select", selection: parseSelection("name=c", "select") }, hold },
      { takes: { type: "select", selection: parseSelection("name=x", "select") }, hold },
      { takes: { type: "percent", percent: 26 }, hold },
      { takes: { type: "count", count: 1 }, hold },
    ]);
    expect(divided.waves.map((wave) => wave.members)).toEqual([["c"], ["a", "b"], ["d"]]);
    expect([divided.empty, divided.remaining]).toEqual([["name=x"], []]);
  });
});
