import type { Control } from "./control.js";
import { number, type Row, rowOf, text } from "./rows.js";
import { stopwatch } from "./stopwatch.js";

/** The emulator's time at the last read, plus the time since then if the clock runs. */
export interface EmulatorClock {
  now: string;
  isVirtual: boolean;
}

export interface News {
  lastRequest: number;
  unseenRequests: number;
  unseenErrors: number;
  callsUnderWay: number;
  faults: number;
}

type Listener = () => void;

/** Uses long polling; if long requests fail, the page polls every second. */
export interface Pulse {
  clock(): EmulatorClock;
  news(): News;
  /**
   * Calls the listener when the state might have changed.
   * @returns a function that unsubscribes
   */
  subscribe(listener: Listener): Listener;
  /**
   * Calls the listener each second while the clock runs.
   * @returns a function that unsubscribes
   */
  subscribeTicks(listener: Listener): Listener;
  /** Reads the state now and calls all listeners. */
  beat(): Promise<void>;
  /** Counts new requests as seen until the returned function is called. */
  lookAtRequests(): Listener;
}

const secondMilliseconds = 1_000;
const waitSeconds = 25;
/** Minimum interval between reads, because a busy emulator changes constantly. */
const throttleMilliseconds = 150;
/** Longest delay that `setTimeout` supports. A timer with a longer delay fires at once. */
const longestTimer = 2_147_483_647;

/** @param failed called with an error; called with undefined when reads succeed again */
export function createPulse(control: Control, failed: (error: unknown) => void): Pulse {
  const listeners = new Set<Listener>();
  const tickers = new Set<Listener>();
  let read: Row = {};
  /** Monotonic time, in milliseconds. */
  let readAt = 0;
  let seen: number | undefined;
  let looking = 0;
  let isConnected = true;
  let wait = waitSeconds;
  let waiting = new AbortController();
  let due: number | undefined;

  const isSeen = () => document.visibilityState === "visible";
  const isVirtual = () => text(read, "mode") === "virtual";
  const notify = (those: ReadonlySet<Listener>) => {
    for (const listener of [...those]) listener();
  };

  async function ask(seconds: number, signal?: AbortSignal): Promise<Row> {
    const query = new URLSearchParams();
    if (seconds > 0) {
      query.set("after", text(read, "revision"));
      query.set("wait_seconds", String(seconds));
    }
    if (seen !== undefined) query.set("seen_request", String(seen));
    return rowOf(await control.get(`/changes?${query}`, signal));
  }

  function note(changes: Row): void {
    read = changes;
    readAt = stopwatch();
    const last = number(changes, "last_request");
    // A reset restarts the log's IDs at 1, so `last` can be less than `seen`.
    if (seen === undefined || looking > 0 || seen > last) seen = last;
    if (!isConnected) failed(undefined);
    isConnected = true;
    clearTimeout(due);
    const next = Date.parse(text(changes, "next_at"));
    if (isVirtual() || Number.isNaN(next)) return;
    // A clock event doesn't end the pending long request, so read again when the event is due.
    const milliseconds = next - Date.parse(text(changes, "now")) + 50;
    due = setTimeout(() => void beat(), Math.min(Math.max(milliseconds, throttleMilliseconds), longestTimer));
  }

  async function beat(): Promise<void> {
    try {
      note(await ask(0));
    } catch (error) {
      if (isConnected) failed(error);
      isConnected = false;
    }
    notify(listeners);
  }

  async function watch(): Promise<void> {
    if (!isConnected || wait === 0) {
      await pause(secondMilliseconds);
      await beat();
      return;
    }
    const former = text(read, "revision");
    waiting = new AbortController();
    try {
      const changes = await ask(wait, waiting.signal);
      note(changes);
      if (text(changes, "revision") === former) return;
      notify(listeners);
      await pause(throttleMilliseconds);
    } catch {
      if (waiting.signal.aborted) return;
      // A proxy might cut off long requests, so halve their duration after each failure. At 0, the page
      // polls.
      wait = Math.floor(wait / 2);
      await beat();
    }
  }

  async function run(): Promise<void> {
    await beat();
    for (;;) {
      if (isSeen()) await watch();
      else {
        await visible();
        await beat();
      }
    }
  }
  void run();
  // Browsers limit the connections to a host, so a hidden page keeps none open.
  document.addEventListener("visibilitychange", () => {
    if (!isSeen()) waiting.abort();
  });
  setInterval(() => {
    if (isSeen() && isConnected && !isVirtual() && text(read, "now") !== "") notify(tickers);
  }, secondMilliseconds);

  return {
    clock() {
      const now = text(read, "now");
      if (now === "" || isVirtual()) return { now, isVirtual: isVirtual() };
      const goneOn = Date.parse(now) + stopwatch() - readAt;
      return { now: new Date(goneOn).toISOString(), isVirtual: false };
    },
    news: () => ({
      lastRequest: number(read, "last_request"),
      unseenRequests: looking > 0 ? 0 : number(read, "unseen_requests"),
      unseenErrors: looking > 0 ? 0 : number(read, "unseen_errors"),
      callsUnderWay: number(read, "calls_under_way"),
      faults: number(read, "faults"),
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeTicks(listener) {
      tickers.add(listener);
      return () => tickers.delete(listener);
    },
    beat,
    lookAtRequests() {
      looking += 1;
      seen = Math.max(seen ?? 0, number(read, "last_request"));
      notify(listeners);
      return () => {
        looking -= 1;
        read = { ...read, unseen_requests: 0, unseen_errors: 0 };
      };
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function visible(): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
  });
}
