/** The paths of programs, and the time, zone and locale of a test run (`npm run proof -- days`). */
const inherited = ["PATH", "TZ", "LC_ALL", "LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"] as const;

/**
 * Returns the variables that every process of a test inherits, without other settings of the user who runs
 * the tests.
 */
export function inheritedEnvironment(): Record<string, string> {
  const names = inherited.filter((name) => process.env[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
}
