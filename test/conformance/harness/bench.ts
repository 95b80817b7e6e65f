import type { Service } from "../server/service.js";
import { type SwitchName, table } from "../server/switches.js";

export interface Ran {
  /** Exit code; null if the process was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * The moment at which a process is killed: when its nth write reaches the service, or at the nth step of its
 * journal.
 */
export type KillAt = { write: number } | { step: number };

/** A service with some switches on, and a user of that service. */
export interface Bench {
  readonly switches: readonly SwitchName[];
  readonly service: Service;
  run(...argv: string[]): Promise<Ran>;
  runKilled(at: KillAt, ...argv: string[]): Promise<Ran>;
  /** `--settle` with a duration, for commands that check lost requests. */
  readonly settle: readonly string[];
  write(name: string, content: string): string;
  path(name: string): string;
  /** Waits until lists no longer lag and late requests have taken effect. */
  pass(): Promise<void>;
  /**
   * Whether a correct run is allowed to report unconfirmed writes, because requests or responses can get lost
   * or the process is killed.
   */
  readonly lossy: boolean;
  /** Factor by which the service's time is faster than real time. */
  readonly speed: number;
}

export function areLossy(switches: readonly SwitchName[]): boolean {
  return switches.some((name) => table[name]?.change?.losses?.some(({ on }) => on === "write") === true);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export function parseOutput({ stdout }: Ran): any {
  return JSON.parse(stdout);
}
