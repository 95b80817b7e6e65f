import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inheritedEnvironment } from "../../helpers/environment.js";
import { listen } from "../server/http.js";
import { createService } from "../server/service.js";
import { behaviorOf, type SwitchName } from "../server/switches.js";
import { areLossy, type Bench, type Ran } from "./bench.js";
import { runMain } from "./in-process.js";
import { createSurroundings, furnish, type Surroundings } from "./surroundings.js";

const program = fileURLToPath(new URL("../../../bin/voxctl.js", import.meta.url));
/** All commands share a cache of compiled code, as a user's commands do. */
const cacheFolder = fileURLToPath(new URL("../../../node_modules/.cache", import.meta.url));
/** How long lists lag behind writes. Processes start faster, so the next command gets an outdated list. */
const lagMilliseconds = 1_500;
/** The service's time is ten times as fast as real time: an outage of ten seconds takes one second. */
const speed = 10;

export interface SocketBench extends Bench {
  readonly port: number;
  readonly surroundings: Surroundings;
  /** Stops listening. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

/** @param how `main` in this process, or the built command in a separate process */
export async function createSocketBench(
  switches: readonly SwitchName[],
  how: "main" | "built",
): Promise<SocketBench> {
  const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  const service = createService({
    behavior: behaviorOf(switches),
    now: () => Date.now(),
    sleep,
    lagMilliseconds,
    speed,
  });
  furnish(service);
  const listening = await listen(service);
  const surroundings = createSurroundings(listening.origin, switches);
  const built = (argv: readonly string[], dies?: number) =>
    runBuilt(argv, surroundings, (kill) => {
      const from = writesOf(service);
      if (dies !== undefined) service.onArrival(() => writesOf(service) - from >= dies && kill());
    });
  return {
    switches,
    service,
    surroundings,
    port: Number(new URL(listening.origin).port),
    close: listening.close,
    settle: ["--settle", "2s"],
    speed,
    lossy: areLossy(switches),
    write: surroundings.write,
    path: surroundings.path,
    pass: () => sleep(lagMilliseconds + 100),
    run: (...argv) => (how === "built" ? built(argv) : runMain(argv, surroundings)),
    runKilled(at, ...argv) {
      if ("step" in at) throw new TypeError("a separate process can only be killed at a write");
      return built(argv, at.write);
    },
    async remove() {
      await service.settled();
      await listening.close();
      surroundings.remove();
    },
  };
}

function writesOf({ log }: Bench["service"]): number {
  return log.filter(({ method }) => method !== "GET").length;
}

function runBuilt(
  argv: readonly string[],
  { home, environment }: { home: string; environment: Record<string, string> },
  watch: (kill: () => void) => void,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...argv], {
      cwd: home,
      env: { ...inheritedEnvironment(), XDG_CACHE_HOME: cacheFolder, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (part: Buffer) => stdout.push(part));
    child.stderr.on("data", (part: Buffer) => stderr.push(part));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
    watch(() => child.kill("SIGKILL"));
  });
}
