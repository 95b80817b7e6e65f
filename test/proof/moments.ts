import { spawnSync } from "node:child_process";
import { longTests } from "../helpers/checks.js";
import type { Runner } from "./processes.js";

/** A start time, time zone and locale for a run of the suite. */
export interface Moment {
  about: string;
  /** The start time; the clock continues from there. */
  at: string;
  zone: string;
  locale: string;
}

/** Moments at which calendars and clocks are special, each with a zone and a locale. */
export const moments: Readonly<Record<string, Moment>> = {
  "new-year": {
    about: "the last minute of a year, and the next year",
    at: "2028-12-31T23:59:00Z",
    zone: "UTC",
    locale: "ar_EG.UTF-8",
  },
  "first-of-month": {
    about: "the first of a month, where the day before has not ended yet",
    at: "2027-02-01T01:30:00Z",
    zone: "America/St_Johns",
    locale: "de_DE.UTF-8",
  },
  "leap-day": {
    about: "a leap day",
    at: "2028-02-29T12:00:00Z",
    zone: "Asia/Kolkata",
    locale: "ja_JP.UTF-8",
  },
  spring: {
    about: "the hour that clocks skip in spring",
    at: "2027-03-28T00:58:00Z",
    zone: "Europe/Berlin",
    locale: "fr_FR.UTF-8",
  },
  autumn: {
    about: "the hour that clocks repeat in autumn",
    at: "2027-11-07T05:58:00Z",
    zone: "America/New_York",
    locale: "tr_TR.UTF-8",
  },
  "week-53": {
    about: "the first days of a year, in ISO week 53 of the previous year",
    at: "2027-01-02T10:00:00Z",
    zone: "Pacific/Kiritimati",
    locale: "C",
  },
};

/**
 * Runs the `npm test` suite and the long tests with the clock, time zone and locale of a moment. Prints the
 * environment variables with which the runs can be repeated.
 * @param shard a part of the files of `npm test`, as `1/3`; all files and the long tests if undefined
 * @returns the exit code of the first failure, 0 if all passed; undefined if a required program is missing
 * and can't be installed
 */
export async function runSuiteAt(
  moment: Moment,
  shard: string | undefined,
  root: string,
  runner: Runner,
): Promise<number | undefined> {
  if (!hasPrograms(moment) && !installPrograms(moment)) {
    console.log("skipped: requires Debian's packages faketime and locales, which only root can install");
    return undefined;
  }
  const variables = variablesOf(moment);
  console.log(
    Object.entries(variables)
      .map(([name, value]) => `${name}='${value}'`)
      .join(" "),
  );
  const env = { ...process.env, ...variables };
  const runVitest = (...words: string[]) =>
    runner.run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...words], { cwd: root, env });
  if (shard !== undefined) return runVitest("--shard", shard);
  const code = await runVitest();
  if (code !== 0 || runner.stopped) return code;
  return runVitest("--config", "vitest.checks.config.ts", ...longTests);
}

/** An offset to the machine's clock gives all processes the same time. */
function variablesOf({ at, zone, locale }: Moment): Record<string, string> {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  return {
    TZ: zone,
    LC_ALL: locale,
    LD_PRELOAD: run("faketime", "-m", "-f", "+0s", "printenv", "LD_PRELOAD").stdout.trim(),
    FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s`,
    // Programs measure durations with the monotonic clock, which is independent of the date.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

function hasPrograms({ locale }: Moment): boolean {
  const known = run("locale", "-a").stdout.toLowerCase().split("\n");
  return run("faketime", "--version").status === 0 && known.includes(locale.toLowerCase().replace("-", ""));
}

function installPrograms(moment: Moment): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  run("apt-get", "update");
  run("apt-get", "install", "-y", "faketime", "locales");
  const [language = "", charset] = moment.locale.split(".");
  if (charset !== undefined) run("localedef", "-i", language, "-f", charset, moment.locale);
  return hasPrograms(moment);
}

/** The status is null if the program does not exist. */
function run(program: string, ...words: string[]): { status: number | null; stdout: string } {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout } = spawnSync(program, words, { encoding: "utf8", env });
  return { status, stdout: stdout ?? "" };
}
