/**
 * Runs `work` without signal listeners, so that a signal ends the process immediately. `work` can block for
 * seconds, and a listener would run only after `work`.
 */
export function withoutSignalListeners<T>(work: () => T): T {
  const restorers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(removeListeners);
  try {
    return work();
  } finally {
    for (const restore of restorers) restore();
  }
}

function removeListeners(name: NodeJS.Signals): () => void {
  const listeners = process.rawListeners(name) as NodeJS.SignalsListener[];
  for (const listener of listeners) process.off(name, listener);
  return () => {
    for (const listener of listeners) process.on(name, listener);
  };
}
