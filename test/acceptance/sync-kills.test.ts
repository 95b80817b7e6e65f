// Kills `contacts sync` and `apply` at random journal steps and times. PROOF=1 runs 40 cases instead of one.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { type Emulator, openEmulator } from "../../src/emulator/index.js";
import type { Step } from "../../src/write/journal/journal.js";
import { readContacts, readLines } from "../helpers/import.js";
import { readLog } from "../helpers/log.js";
import { type Ended, runBuilt, runHere, runKilledAt } from "../helpers/processes.js";
import { publicApi } from "../helpers/public-api.js";
import { formatCsv, type Person } from "../helpers/sync.js";
import { allAllowFlags, createPair, lossFaults, toContactTexts } from "../helpers/sync-pairs.js";

const whole = process.env["PROOF"] !== undefined;
const pairs = whole ? Number(process.env["PROOF_PAIRS"] ?? 40) : 1;
const seed = Number(process.env["PROOF_SEED"] ?? (whole ? Date.now() % 1e6 : 3));
const run = whole ? runBuilt : runHere;

const ways = ["sync", "sync, resumed by its run", "plan and apply"] as const;

const steps: readonly Step[] = ["created", "planned", "sending", "sent", "recording", "recorded", "finished"];

let emulator: Emulator;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "voxctl-sync-kills-"));
  emulator = await openEmulator({ seed: "empty", clock: "real", limits: { read: 1e6, write: 1e6 } });
  const { url } = await emulator.listen({ port: 0 });
  env = {
    HOME: folder,
    VOXCTL_BASE_URL: `${url}/api/v1`,
    VOXCTL_API_KEY: emulator.startLine.keys.admin,
    VOXCTL_CONFIG_DIR: join(folder, "config"),
    VOXCTL_KEYCHAIN: "off",
  };
  if (whole) console.log(`seed ${seed}`);
});

afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

type Draw = (...names: (string | number)[]) => number;
type Machine = { env: Record<string, string>; cwd: string };

interface LoggedWrite {
  id: number;
  method: string;
  path: string;
  status: number;
  request_body: string | null;
  faults?: { kind: string }[];
}

async function writes(): Promise<LoggedWrite[]> {
  const logged = await readLog<LoggedWrite>(emulator, "brief=false");
  return logged.filter(
    ({ method, status, faults = [] }) =>
      method !== "GET" && (status < 300 || faults.some(({ kind }) => kind === "error_after")),
  );
}

/** Returns writes that were sent more than once, except deletes, which may be repeated. */
function repeated(all: readonly LoggedWrite[]): string[] {
  const seen = new Set<string>();
  return all
    .filter(({ method }) => method !== "DELETE")
    .map(({ method, path, request_body }) => `${method} ${path} ${request_body}`)
    .filter((write) => seen.size === seen.add(write).size);
}

function killed(argv: string[], at: Machine, draw: Draw, name: string): Promise<Ended> {
  if (whole && draw(name, "timed") < 0.3)
    return runBuilt(argv, { ...at, kill: { after: 150 + draw(name, "after") * 700, signal: "SIGKILL" } });
  const step = steps[Math.floor(draw(name, "step") * steps.length)] ?? "sent";
  const nth = /ing$|^sent$|^recorded$/.test(step) ? 1 + Math.floor(draw(name, "nth") * 6) : 1;
  return runKilledAt(`${step}:${nth}`, argv, at);
}

const kept: string[] = [];
const logEnd = (what: string, { code, signal, stderr }: Ended) =>
  void kept.push(`${what}: ${signal ?? code} ${stderr.trim().split("\n").at(-1) ?? ""}`);

/** Repeats a command until it succeeds, and kills the first `kills` attempts. */
async function through(
  argv: string[],
  at: Machine,
  { kills, draw, name, good = [0] }: { kills: number; draw: Draw; name: string; good?: number[] },
): Promise<Ended & { kills: number }> {
  let count = 0;
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const ended = attempt < kills ? await killed(argv, at, draw, `${name} ${attempt}`) : await run(argv, at);
    logEnd(`${argv.slice(0, 3).join(" ")}`, ended);
    if (ended.signal === "SIGKILL") count += 1;
    else if (good.includes(ended.code ?? -1) || isNothingToResume(ended)) return { ...ended, kills: count };
  }
  throw new Error(`it came to no good end:\n${kept.join("\n")}`);
}

/** The process was killed after its run had finished, or before its run had planned any requests. */
function isNothingToResume({ code, stderr }: Ended): boolean {
  const refusals: Record<string, number> = { run_finished: 12, run_not_planned: 2 };
  return Object.entries(refusals).some(([error, exit]) => code === exit && stderr.includes(`"${error}"`));
}

function unknownReasons({ stderr }: Ended): string[] {
  const [, report = ""] = /see (\S+\.ndjson)/.exec(stderr) ?? [];
  const unknown = readLines(report).filter(({ outcome }) => outcome === "unknown");
  return [...new Set(unknown.map(({ reason }) => String(reason)))];
}

interface Listed {
  id: string;
  kind: string;
  state: string;
}

async function runsOf(at: Machine): Promise<Listed[]> {
  const { stdout } = await run(["runs", "list", "-o", "json"], at);
  return JSON.parse(stdout).filter(({ kind }: Listed) => kind === "apply");
}

const total = { kills: 0, writes: 0 };

test.each(Array.from({ length: pairs }, (_, index) => [index, ways[index % ways.length] ?? "sync"] as const))(
  `pair %i of seed ${seed}, %s: after a kill and a resume, the group matches the file`,
  async (index, way) => {
    kept.length = 0;
    const draw: Draw = (...names) => seededDraw(seed, "kills", index, ...names);
    const { before, file } = createPair(draw);
    const isKeyed = draw("keyed") < 0.6;
    const flags = [
      ...["--group", `Kunden ${index}`, "--country", "DE", "-o", "json", "--settle", "200ms", "--quiet"],
      ...(isKeyed ? ["--key", "Kundennummer"] : []),
    ];
    const at = { env: { ...env, VOXCTL_DATA_DIR: mkdtempSync(join(folder, "data-")) }, cwd: folder };
    const write = (people: readonly Person[]) => writeFileSync(join(folder, "kunden.csv"), formatCsv(people));
    const sync = (...more: string[]) => ["contacts", "sync", "kunden.csv", ...flags, ...more];
    const { body } = await publicApi(emulator)("POST", "/groups", {
      type: "contacts",
      name: `Kunden ${index}`,
    });
    const contacts = () => readContacts(emulator, body.data.id);
    write(before);
    await through(sync(), at, { kills: 0, draw, name: "before" });
    expect(await contacts()).toEqual(toContactTexts(before));

    if (whole && index % 2 === 0)
      for (const fault of lossFaults)
        await emulator.control("POST", "/faults", { kind: fault, probability: 0.02 });
    await emulator.control("DELETE", "/requests");
    write(file);
    const kills = whole ? 3 : 1;
    if (way === "plan and apply") {
      const plan = join(folder, `${index}.plan`);
      const sealing = sync(...allAllowFlags, "--plan", plan, "--force");
      await through(sealing, at, { kills: whole ? 1 : 0, draw, name: "seal" });
      expect(await writes()).toEqual([]);
      const apply = ["apply", plan, "--yes", "--settle", "200ms", "-o", "json"];
      const applied = await through(apply, at, { kills, draw, name: "apply", good: [0, 75] });
      total.kills += applied.kills;
      // No list can prove that the last create failed, so it stays unconfirmed until the next run (T5).
      if (applied.code === 75) {
        expect(unknownReasons(applied)).toEqual(["lists could not confirm whether the resource was created"]);
        await through(sync(...allAllowFlags), at, { kills: 0, draw, name: "after the unknown" });
      }
    } else if (way === "sync") {
      total.kills += (await through(sync(...allAllowFlags), at, { kills, draw, name: "sync" })).kills;
    } else {
      logEnd("sync", await killed(sync(...allAllowFlags), at, draw, "sync"));
      for (const { id } of (await runsOf(at)).filter(({ state }) => state === "unfinished")) {
        const resume = ["runs", "resume", id, "--settle", "200ms", "-o", "json"];
        total.kills += (await through(resume, at, { kills: kills - 1, draw, name: "resume" })).kills + 1;
      }
      await through(sync(...allAllowFlags), at, { kills: 0, draw, name: "sync again" });
    }
    await emulator.control("DELETE", "/faults");
    expect(await contacts(), kept.join("\n")).toEqual(toContactTexts(file));
    const written = await writes();
    expect(repeated(written), kept.join("\n")).toEqual([]);
    total.writes += written.length;

    await emulator.control("DELETE", "/requests");
    const again = await through(sync(...allAllowFlags), at, { kills: 0, draw, name: "again" });
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, updated: 0, deleted: 0, run_id: null });
    expect(await writes()).toEqual([]);
    if (isKeyed) {
      // The key map also survived the kills: it identifies every row although all other columns changed.
      write(file.map((person, row) => ({ ...person, first: `Ganz${row}`, phone: `0172 ${40000000 + row}` })));
      const dry = ["--dry-run", "--accept-rekey", ...allAllowFlags];
      const changed = await through(sync(...dry), at, { kills: 0, draw, name: "dry" });
      expect(JSON.parse(changed.stdout)).toMatchObject({ created: 0, updated: file.length, deleted: 0 });
    }

    // Omits the oldest run, which filled the group.
    const done = (await runsOf(at)).filter(({ state }) => state === "finished").slice(0, -1);
    for (const { id } of done) {
      const undo = ["runs", "undo", id, "--include-matched", "--yes", "--settle", "200ms", "-o", "json"];
      const undone = await through(undo, at, { kills: whole ? 2 : 0, draw, name: id, good: [0, 68] });
      total.kills += undone.kills;
    }
    expect(await contacts(), kept.join("\n")).toEqual(toContactTexts(before));
    expect((await runsOf(at)).filter(({ state }) => state === "unfinished")).toEqual([]);
    write(before);
    await emulator.control("DELETE", "/requests");
    await through(sync(...allAllowFlags), at, { kills: 0, draw, name: "as before" });
    expect(await writes()).toEqual([]);
    expect(readdirSync(folder).filter((name) => /\.part$|\.tmp$/.test(name))).toEqual([]);
  },
);

// A single pair may be killed once or never, because the run may not reach its random step.
test.runIf(whole)("on average, each pair of random sync runs is killed more than once", () => {
  console.log(`${pairs} pairs: ${total.kills} kills, ${total.writes} writes`);
  expect(total.kills).toBeGreaterThan(pairs);
});
