import { messageOf } from "../../base/error-code.js";
import type { Notes } from "../terminal/notes.js";

export interface Reporting {
  notes: Pick<Notes, "warn">;
  signal: AbortSignal;
}

/**
 * Saves a failure that occurred before the command started its work.
 * @throws `failure`; a file that can't be written causes only a warning
 */
export function saveFailure(
  reporting: Reporting,
  failure: unknown,
  save: () => Promise<void>,
): Promise<never> {
  return saveResults<never>(reporting, { saves: [save], conclude: () => Promise.reject(failure) });
}

interface Results<T> {
  print?(): Promise<void>;
  saves: readonly (() => Promise<void>)[];
  conclude(): T | Promise<T>;
}

/**
 * Prints and saves the results. If printing or a file fails, still saves the remaining files, because a full
 * disk or a closed pipe must not lose all results.
 * @throws the error of `print` or `conclude`, otherwise the first file error; other file errors are warnings
 */
export async function saveResults<T>(
  { notes, signal }: Reporting,
  { print, saves, conclude }: Results<T>,
): Promise<T> {
  const [printed] = await Promise.allSettled([print?.()]);
  const unsaved: unknown[] = [];
  for (const save of saves) await save().catch((error: unknown) => unsaved.push(error));
  const warnOf = (errors: readonly unknown[]) => {
    for (const error of errors) if (error !== signal.reason) notes.warn(messageOf(error));
  };
  let concluded: T;
  try {
    if (printed.status === "rejected") throw printed.reason;
    concluded = await conclude();
  } catch (error) {
    warnOf(unsaved);
    throw error;
  }
  const [first, ...more] = unsaved;
  warnOf(more);
  if (first !== undefined) throw first;
  return concluded;
}
