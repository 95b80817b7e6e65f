import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundleScript } from "./bundle-script.js";

export interface Step {
  method: string;
  /**
   * Path on the host; `{{own}}` is the ID of the resource that this lane created last and has not deleted.
   */
  path: string;
  body?: object;
  /** Key for this request; by default, the key of the lanes. */
  key?: string;
  /** Whether `{{own}}` in later requests refers to the resource that this request creates. */
  keep?: boolean;
}

/** Sends the steps of each lane in order, and all lanes in parallel. */
export interface Lanes {
  /** Path of the emulator's database; undefined if a server at `host` receives the requests. */
  db?: string;
  host?: string;
  key: string;
  /** The deployment's limits, for each process that opens the file. */
  limits: Record<string, number>;
  lanes: readonly (readonly Step[])[];
}

/** A step and its response; times in nanoseconds of one clock for all processes of the machine. */
export interface Recorded extends Step {
  lane: number;
  began: number;
  ended: number;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  body: any;
  headers: Record<string, string>;
}

export class Askers {
  private constructor(private readonly children: readonly ChildProcess[]) {}

  static async start(count: number): Promise<Askers> {
    const script = await bundleScript("asker");
    return new Askers(Array.from({ length: count }, () => fork(script)));
  }

  /**
   * Spreads the lanes over the processes, starts all lanes at the same time, and returns the records of each
   * lane.
   */
  async record({ lanes, ...target }: Lanes): Promise<Recorded[][]> {
    const shares = this.children.map((child, index) => ({
      child,
      numbers: [...lanes.keys()].filter((lane) => lane % this.children.length === index),
    }));
    await Promise.all(
      shares.map(({ child, numbers }) =>
        sendMessage(child, { ...target, lanes: numbers.map((lane) => lanes[lane] ?? []) }),
      ),
    );
    const recorded = await Promise.all(shares.map(({ child }) => sendMessage(child, "go")));
    const histories: Recorded[][] = lanes.map(() => []);
    for (const [index, { numbers }] of shares.entries()) {
      const recordedLanes = JSON.parse(String(recorded[index]));
      for (const [position, lane] of numbers.entries()) {
        histories[lane] = recordedLanes[position].map((entry: Recorded) => ({ ...entry, lane }));
      }
    }
    return histories;
  }

  close(): void {
    for (const child of this.children) child.kill("SIGKILL");
  }
}

async function sendMessage(child: ChildProcess, message: object | string): Promise<unknown> {
  const ended = new AbortController();
  const pending = once(child, "message", { signal: ended.signal });
  const exit = () => ended.abort(new Error("an asking process ended"));
  child.once("exit", exit);
  child.send(message);
  try {
    const [response] = await pending;
    return response;
  } finally {
    child.off("exit", exit);
  }
}
