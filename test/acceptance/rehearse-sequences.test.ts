// Rehearses random scripts. Only programs that ignore the proxy variables may reach the source.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSocketBench } from "../conformance/harness/sockets.js";
import { keys } from "../conformance/server/service.js";
import { bin } from "../helpers/installed-cli.js";
import { openRehearsedSource } from "../helpers/rehearsal.js";

const whole = process.env["PROOF"] !== undefined;
const sequences = whole ? 100 : 1;
const firstSeed = Number(process.env["PROOF_SEED"] ?? 1);

interface Source {
  baseUrl: string;
  key: string;
  profile: string;
  group: string;
  home: string;
  config: string;
  data: string;
  run(...argv: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Returns the requests that the service has received since this function was last called. */
  requests(): Promise<string[]>;
}

async function emulated(): Promise<Source> {
  const { line, baseUrl, emulator, requests } = await openRehearsedSource();
  const { home, config, data, run } = line;
  const key = emulator.startLine.keys.admin;
  return { baseUrl, key, profile: "acme", group: "Patienten", home, config, data, run, requests };
}

async function openConformingSource(): Promise<Source> {
  const bench = await createSocketBench([], "main");
  onTestFinished(bench.remove);
  const { home, data, environment } = bench.surroundings;
  const made = await bench.run("mirror", "create", "conforming");
  expect(made.code, made.stderr).toBe(0);
  let seen = bench.service.log.length;
  return {
    baseUrl: `http://127.0.0.1:${bench.port}/api/v1`,
    key: keys.public,
    profile: "conforming",
    group: "Team",
    home,
    config: environment["VOXCTL_CONFIG_DIR"] ?? "",
    data,
    run: bench.run,
    requests: async () => {
      const fresh = bench.service.log.slice(seen);
      seen = bench.service.log.length;
      return fresh.map(({ method, path }) => `${method} ${path}`);
    },
  };
}

/** Returns a seeded random generator (Park-Miller) of integers below the bound. */
function chance(seed: number): (bound: number) => number {
  let state = (seed * 7_919 + 1) % 2_147_483_647;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

interface Step {
  line: string;
  writes?: boolean;
  /** The program uses the proxy variables, so the guard refuses its requests. */
  refused?: boolean;
  /** The program ignores the proxy variables, so its requests reach the source. */
  ignores?: boolean;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function voxctlStep(source: Source, next: (bound: number) => number): Step {
  const { baseUrl, key, profile, group, config, data, home } = source;
  const name = `G${next(1_000_000)}`;
  const commands: [words: string, writes: boolean][] = [
    [`groups create --type contacts --name ${name} --yes`, true],
    [`contacts create --group ${group} --first-name ${name} --yes`, true],
    [`contacts import k.csv --group ${name} --create-group --yes`, true],
    [`api POST /groups --data '{"type":"contacts","name":"${name}"}'`, true],
    ["contacts list --all", false],
    ["contacts delete --search Neighbor --yes", false],
    ["mirror refresh", false],
    [`rehearse -- groups create --type contacts --name ${name} --yes`, false],
  ];
  const own = `HOME=${quoted(home)} PATH="$PATH" VOXCTL_KEYCHAIN=off SOURCE=${quoted(key)}`;
  const folders = `VOXCTL_CONFIG_DIR=${quoted(config)} VOXCTL_DATA_DIR=${quoted(data)}`;
  const real = `VOXCTL_BASE_URL=${quoted(baseUrl)} VOXCTL_API_KEY=${quoted(key)}`;
  const environments: [words: string, flags: string, reaches: boolean][] = [
    ["", "", true],
    ["", `--profile ${profile}`, true],
    [`env VOXCTL_PROFILE=${profile}`, "", true],
    [`env ${real}`, "", true],
    ["env VOXCTL_REHEARSAL=/nowhere", "", false],
    ["env -u VOXCTL_REHEARSAL", `--profile ${profile}`, false],
    [`env -u VOXCTL_REHEARSAL ${real}`, "", false],
    [`env -u VOXCTL_REHEARSAL VOXCTL_DATA_DIR=${quoted(data)} ${real}`, "", false],
    [`env -i ${own} ${folders}`, `--profile ${profile}`, false],
    [`env -i ${own} ${folders} ${real}`, "", false],
  ];
  const [words, writes] = commands[next(commands.length)] ?? ["", false];
  const [environment, flags, reaches] = environments[next(environments.length)] ?? ["", "", false];
  const line = `${environment} ${quoted(process.execPath)} ${quoted(bin)} ${flags} ${words} </dev/null >/dev/null 2>&1`;
  const done = `done-${name}`;
  const forms = [
    line,
    `sh -c ${quoted(line)}`,
    `{ ${line} & } ; wait`,
    // An orphan process, whose parent has ended.
    `( sh -c ${quoted(`${line} ; touch ${done}`)} & ) ; while [ ! -e ${done} ]; do sleep 0.1; done`,
  ];
  return { line: forms[next(forms.length)] ?? line, writes: writes && reaches };
}

function programStep({ baseUrl, key }: Source, next: (bound: number) => number): Step {
  const body = JSON.stringify({ type: "contacts", name: `P${next(1_000_000)}` });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const node = (text: string) => `${quoted(process.execPath)} -e ${quoted(text)}`;
  const toFork = `fetch(process.env.VOXCTL_BASE_URL + "/groups", { method: "POST", body: ${JSON.stringify(body)}, headers: { authorization: "Bearer " + process.env.VOXCTL_API_KEY, "content-type": "application/json" } })`;
  const direct = `require("node:http").request(${JSON.stringify(`${baseUrl}/groups`)}, { method: "POST", headers: ${JSON.stringify(headers)} }, (a) => a.resume()).end(${JSON.stringify(body)})`;
  const proxied = `const proxy = new URL(process.env.http_proxy); require("node:http").request({ host: proxy.hostname, port: proxy.port, method: "POST", path: ${JSON.stringify(`${baseUrl}/groups`)}, headers: ${JSON.stringify({ ...headers, host: new URL(baseUrl).host })} }, (a) => a.resume()).end(${JSON.stringify(body)})`;
  const python = `import urllib.request as u; u.urlopen(u.Request(${JSON.stringify(`${baseUrl}/groups`)}, data=${JSON.stringify(body)}.encode(), headers=${JSON.stringify(headers)}))`;
  const curl = `curl -s -o /dev/null -X POST ${Object.entries(headers)
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
    .join(" ")} -d ${quoted(body)} ${quoted(`${baseUrl}/groups`)}`;
  const or = (program: string, line: string) =>
    `if command -v ${program} >/dev/null; then ${line} >/dev/null 2>&1; else ${node(proxied)}; fi`;
  const steps: Step[] = [
    { line: node(toFork), writes: true },
    { line: node(proxied), refused: true },
    { line: or("curl", curl), refused: true },
    { line: or("python3", `python3 -c ${quoted(python)}`), refused: true },
    { line: node(direct), ignores: true },
  ];
  return steps[next(steps.length)] ?? { line: "true" };
}

function sequenceOf(source: Source, next: (bound: number) => number): { script: string; steps: Step[] } {
  const steps = Array.from({ length: 1 + next(3) }, () =>
    next(3) === 0 ? programStep(source, next) : voxctlStep(source, next),
  );
  const together = steps.length > 1 && next(3) === 0;
  const script = together
    ? `${steps.map(({ line }) => `( ${line} ) &`).join("\n")}\nwait\n`
    : `${steps.map(({ line }) => line).join("\n")}\ntrue\n`;
  return { script, steps };
}

const sources: [string, () => Promise<Source>][] = [
  ["an emulator", emulated],
  ["a server that conforms to the documents", openConformingSource],
];

describe.each(whole ? sources : sources.slice(0, 1))("rehearsals of %s", (_, open) => {
  test(`[R3a] rehearsals never send a write to the source (${sequences} sequences)`, async () => {
    const source = await open();
    writeFileSync(join(source.home, "k.csv"), "first_name,phone\nEva,+491511000001\nJan,+491511000002\n");
    await source.requests();
    const happened = { reached: 0, refused: 0, ignored: 0 };
    for (let seed = firstSeed; seed < firstSeed + sequences; seed += 1) {
      const { script, steps } = sequenceOf(source, chance(seed));
      const words = ["rehearse", "-o", "json", "--profile", source.profile, "--max-age", "1000d"];
      const { code, stdout, stderr } = await source.run(...words, "--", "sh", "-c", script);
      const because = `seed ${seed}: ${script}\n${stderr}`;
      const { guard, requests } = JSON.parse(stdout);
      const ignoring = steps.filter(({ ignores }) => ignores);
      const refused = steps.filter((step) => step.refused);
      const reaching = steps.filter(({ writes }) => writes);
      const heard = (await source.requests()).filter((request) => !request.startsWith("GET "));
      expect(heard, because).toEqual(ignoring.map(() => "POST /api/v1/groups"));
      expect([guard.advisory, guard.refused], because).toEqual([true, refused.length]);
      expect(code, because).toBe(refused.length > 0 ? 12 : 0);
      expect(requests.writes >= reaching.length, because).toBe(true);
      if (reaching.length === 0) expect(requests.writes, because).toBe(0);
      happened.reached += reaching.length;
      happened.refused += refused.length;
      happened.ignored += ignoring.length;
    }
    if (whole) for (const count of Object.values(happened)) expect(count).toBeGreaterThan(0);
  }, 3_600_000);
});
