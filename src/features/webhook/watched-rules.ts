import { stat } from "node:fs/promises";
import type { Clock } from "../../base/clock.js";
import { readInputText } from "../../base/input-file.js";
import { parseResponseRules, type ResponseRules } from "./response-rules.js";

interface Reporting {
  clock: Pick<Clock, "now">;
  notes: { note(text: string): void; warn(text: string): void };
}

/** If a file changed more recently, an editor may still be writing the file. */
const settledMilliseconds = 250;

/**
 * After an invalid change, prints a warning and keeps the previous rules.
 * @param file path as typed
 * @throws InputError if the file can't be read or is invalid at first
 */
export async function watchResponseRules(
  path: string,
  file: string,
  { clock, notes }: Reporting,
): Promise<() => Promise<ResponseRules>> {
  const read = () => readInputText(path, `--rules: ${file}`);
  let content = await read();
  let rules = await parseResponseRules(content, file);
  let refused: string | undefined;
  return async () => {
    const changed = await stat(path).catch(() => undefined);
    if (changed === undefined || clock.now() - changed.mtimeMs < settledMilliseconds) return rules;
    const now = await read().catch(() => content);
    // Check the file again, because a write may start after the first check.
    const after = await stat(path).catch(() => undefined);
    if (after?.mtimeMs !== changed.mtimeMs || now === content || now === refused) return rules;
    try {
      rules = await parseResponseRules(now, file);
      content = now;
      refused = undefined;
      notes.note(`reloaded the response rules from ${file}`);
    } catch (error) {
      refused = now;
      notes.warn(`${error instanceof Error ? error.message : error}; keeping the previous rules`);
    }
    return rules;
  };
}
