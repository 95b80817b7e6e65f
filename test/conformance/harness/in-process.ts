import { cpSync, existsSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import type { Clock } from "../../../src/base/clock.js";
import type { Io } from "../../../src/base/io.js";
import type { Random } from "../../../src/base/random.js";
import { ConnectionError, type Transport } from "../../../src/base/transport.js";
import { main } from "../../../src/cli/main.js";
import type { Overrides } from "../../../src/cli/session/overrides.js";
import { type Behavior, recordSettings } from "../server/behavior.js";
import type { Delivery } from "../server/exchange.js";
import { createService, type Service } from "../server/service.js";
import { behaviorOf, type SwitchName } from "../server/switches.js";
import { areLossy, type Bench, type KillAt, type Ran } from "./bench.js";
import { createTestClock } from "./clock.js";
import { createSurroundings, furnish, type Surroundings } from "./surroundings.js";

const origin = "https://conforming.example";
const wayMilliseconds = 40;
/** Delay of lists and late effects: less than the default settle time. */
const lagMilliseconds = 20_000;

/** A bench on the test's clock, without sockets. An hour on this clock takes seconds. */
export interface ClockBench extends Bench {
  readonly clock: Clock;
  /** Names of the service's settings that requests have depended on. */
  readonly settingsRead: ReadonlySet<string>;
  remove(): void;
}

/** @param more behavior of the deployment in addition to the switches */
export function createClockBench(
  switches: readonly SwitchName[],
  { seed = 1, more = {} }: { seed?: number; more?: Partial<Behavior> } = {},
): ClockBench {
  const clock = createTestClock();
  const { behavior, settingsRead } = recordSettings({ ...behaviorOf(switches), ...more });
  const service = createService({
    behavior,
    now: clock.now,
    sleep: (milliseconds) => clock.sleep(milliseconds),
    lagMilliseconds,
    speed: 1,
  });
  furnish(service);
  const surroundings = createSurroundings(origin, switches);
  const random = seededRandom(seed);
  return {
    switches,
    service,
    clock,
    settingsRead,
    settle: [],
    speed: 1,
    lossy: areLossy(switches),
    write: surroundings.write,
    path: surroundings.path,
    pass: () => clock.sleep(lagMilliseconds + 1_000),
    run: (...argv) => runMain(argv, surroundings, { clock, random, transport: transportTo(service, clock) }),
    runKilled: (at, ...argv) => runKilled(at, argv, { surroundings, clock, random, service }),
    remove: surroundings.remove,
  };
}

function seededRandom(seed: number): Random {
  // Park and Miller's generator, sufficient for jitter and names.
  let state = seed * 7_919 + 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return {
    next,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => Math.floor(next() * 256))),
  };
}

function transportTo(service: Service, clock: Clock): Transport {
  return async (url, { method, headers, body = "", signal }) => {
    const { pathname, search } = new URL(url);
    await clock.sleep(wayMilliseconds, signal).catch(() => {
      throw new ConnectionError("the request was aborted", true);
    });
    const delivery = await service.handle({ method, target: `${pathname}${search}`, headers, body });
    await clock.sleep(wayMilliseconds, signal).catch(() => {
      throw new ConnectionError("the request was aborted", true);
    });
    if (delivery.reaches === "nothing") throw cut();
    return {
      status: delivery.status,
      headers: delivery.headers,
      body: piecesOf(delivery),
      text: () => textOf(delivery),
    };
  };
}

function cut(): ConnectionError {
  return new ConnectionError("the connection was closed", true, "ECONNRESET");
}

async function* piecesOf({ body, reaches }: Delivery): AsyncGenerator<Uint8Array, void> {
  yield typeof reaches === "number" ? body.subarray(0, reaches) : body;
  if (reaches !== "whole") throw cut();
}

async function textOf({ body, reaches }: Delivery): Promise<string> {
  if (reaches !== "whole") throw cut();
  return Buffer.from(body).toString("utf8");
}

interface Killing {
  surroundings: Surroundings;
  clock: Clock;
  random: Random;
  service: Service;
}

/**
 * After the kill, the command sends no requests and changes no files, but requests that the service has
 * already received take effect.
 */
async function runKilled(at: KillAt, argv: readonly string[], parts: Killing): Promise<Ran> {
  const { surroundings, clock, random, service } = parts;
  const dead = new AbortController();
  const left = `${surroundings.data}-left-${service.log.length}`;
  let writes = 0;
  let steps = 0;
  const kill = () => {
    if (dead.signal.aborted) return;
    if (existsSync(surroundings.data)) cpSync(surroundings.data, left, { recursive: true });
    dead.abort(new Error("the process was killed"));
    interrupt();
    interrupt();
  };
  let interrupt = () => {};
  const carry = transportTo(service, clock);
  const transport: Transport = async (url, request) => {
    if (dead.signal.aborted) throw new ConnectionError("the process was killed", false);
    if (request.method !== "GET") writes += 1;
    const dies = "write" in at && request.method !== "GET" && writes === at.write;
    const pending = carry(url, request);
    if (dies) void clock.sleep(wayMilliseconds).then(kill);
    const response = await pending;
    if (dead.signal.aborted) throw new ConnectionError("the process was killed", true);
    return response;
  };
  const mortal: Clock = {
    now: clock.now,
    sleep: (milliseconds, signal) =>
      clock.sleep(milliseconds, signal ? AbortSignal.any([signal, dead.signal]) : dead.signal),
  };
  const ran = await runMain(argv, surroundings, {
    clock: mortal,
    random,
    transport,
    onJournalStep: () => {
      steps += 1;
      if ("step" in at && steps === at.step) kill();
      if (dead.signal.aborted) throw dead.signal.reason;
    },
    onStart: (io) => {
      interrupt = io;
    },
  });
  if (!dead.signal.aborted) return ran;
  if (existsSync(left)) surroundings.moveData(left);
  return { ...ran, code: null };
}

interface MainOptions extends Overrides {
  /** Receives a function that interrupts the command like Ctrl-C. */
  onStart?: (interrupt: () => void) => void;
}

export async function runMain(
  argv: readonly string[],
  { home, environment }: Pick<Surroundings, "home" | "environment">,
  { onStart, ...overrides }: MainOptions = {},
): Promise<Ran> {
  const listeners = new Set<() => void>();
  const [stdout, stderr] = [collected(), collected()];
  const io: Io = {
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { ...environment },
    cwd: home,
    onSignal(name, listener) {
      if (name !== "SIGINT") return () => {};
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  onStart?.(() => {
    for (const listener of listeners) listener();
  });
  const code = await main(argv, io, overrides);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collected() {
  const stream = new PassThrough({ highWaterMark: 1 << 26 });
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  return { stream, text: () => Buffer.concat(parts).toString("utf8") };
}
