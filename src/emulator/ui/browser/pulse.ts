import type { Control } from "./control.js";
import { rowOf, text } from "./rows.js";

/** The world's clock as it was read last. */
export interface WorldClock {
  now: string;
  isVirtual: boolean;
}

type Listener = () => void;

/** Beats once a second while the page is seen: whatever is live reads anew with it. */
export interface Pulse {
  clock(): WorldClock;
  /** Whether the emulator answered the last time. */
  isConnected(): boolean;
  /** @returns what ends it */
  subscribe(listener: Listener): Listener;
  /** Now, and not only with the next second. */
  beat(): Promise<void>;
}

const milliseconds = 1_000;

/**
 * @param failed told what went wrong, and undefined as soon as it goes well again
 */
export function createPulse(control: Control, failed: (error: unknown) => void): Pulse {
  const listeners = new Set<Listener>();
  let clock: WorldClock = { now: "", isVirtual: false };
  let isConnected = true;

  async function beat(): Promise<void> {
    try {
      const read = rowOf(await control.get("/clock"));
      clock = { now: text(read, "now"), isVirtual: text(read, "mode") === "virtual" };
      if (!isConnected) failed(undefined);
      isConnected = true;
    } catch (error) {
      if (isConnected) failed(error);
      isConnected = false;
    }
    for (const listener of listeners) listener();
  }

  async function run(): Promise<void> {
    if (document.visibilityState === "visible") await beat();
    setTimeout(run, milliseconds);
  }
  void run();

  return {
    clock: () => clock,
    isConnected: () => isConnected,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    beat,
  };
}
