import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "./context.js";
import type { EmulatorClock, News } from "./pulse.js";

export interface Live<T> {
  data: T | undefined;
  error: string | undefined;
  reload(): Promise<void>;
}

interface Options {
  /** If false, only a change of `on` causes a new read (default: true). */
  live?: boolean;
}

/**
 * Reads the data again after changes while the view is shown. If the data is unchanged, the view is not
 * rendered again.
 * @param on values whose change drops the previous data
 */
export function useLive<T>(read: () => Promise<T>, on: readonly unknown[], options: Options = {}): Live<T> {
  const { pulse } = useApp();
  const live = options.live ?? true;
  const [state, setState] = useState<{ data: T | undefined; error: string | undefined; of: string }>({
    data: undefined,
    error: undefined,
    of: "",
  });
  const key = JSON.stringify(on);
  const latest = useRef({ read, key, shown: "", turn: 0 });
  latest.current.read = read;

  const reload = useCallback(async () => {
    const { current } = latest;
    const turn = ++current.turn;
    const { key: requestedKey } = current;
    try {
      const data = await current.read();
      // A newer read has started, so drop this result.
      if (turn !== current.turn) return;
      const shown = JSON.stringify([requestedKey, data]);
      if (shown === current.shown) return;
      current.shown = shown;
      setState({ data, error: undefined, of: requestedKey });
    } catch (error) {
      if (turn !== current.turn) return;
      current.shown = "";
      setState(({ data, of }) => ({
        data: of === requestedKey ? data : undefined,
        error: getMessage(error),
        of: requestedKey,
      }));
    }
  }, []);

  useEffect(() => {
    latest.current.key = key;
    latest.current.shown = "";
    void reload();
  }, [key]);
  useEffect(() => {
    if (!live) return;
    let [reading, isOutdated] = [false, false];
    const refresh = () => {
      if (reading) {
        // The response to the current read may not contain this change.
        isOutdated = true;
        return;
      }
      [reading, isOutdated] = [true, false];
      void reload().finally(() => {
        reading = false;
        if (isOutdated) refresh();
      });
    };
    const unsubscribe = pulse.subscribe(refresh);
    return () => {
      unsubscribe();
      isOutdated = false;
    };
  }, [live, pulse]);

  const isCurrent = state.of === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    reload,
  };
}

export function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function useClock(): EmulatorClock {
  const { pulse } = useApp();
  const [clock, setClock] = useState(pulse.clock());
  useEffect(() => {
    const read = () => {
      const next = pulse.clock();
      setClock((before) => (before.now === next.now && before.isVirtual === next.isVirtual ? before : next));
    };
    read();
    const ends = [pulse.subscribe(read), pulse.subscribeTicks(read)];
    return () => {
      for (const end of ends) end();
    };
  }, [pulse]);
  return clock;
}

export function useNews(): News {
  const { pulse } = useApp();
  const [news, setNews] = useState(pulse.news());
  useEffect(
    () =>
      pulse.subscribe(() => {
        const next = pulse.news();
        setNews((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
      }),
    [pulse],
  );
  return news;
}
