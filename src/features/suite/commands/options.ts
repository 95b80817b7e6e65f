import { usageError } from "../../../cli/errors/errors.js";
import { parseCount } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import { listedIn } from "../../../cli/session/listed.js";
import { withAssistants } from "../attempts.js";
import { selectScenarios } from "../select.js";
import type { Suite } from "../suite.js";

export interface SuiteOptions {
  only: readonly string[];
  tags: readonly string[];
  assistants: readonly string[];
  retries: number;
  maxMinutes: number | undefined;
}

/**
 * Refuses an empty string, because it would match every name. An unset variable results in an empty string.
 * @throws usage error (2)
 */
function given(text: string, flag: string): string {
  if (text.trim() === "") throw usageError(`${flag} is empty`);
  return text;
}

/** @throws usage error (2) */
export function readSuiteOptions(input: Input): SuiteOptions {
  const matrix = input.text("matrix");
  const [, listed] = /^assistants=(.+)$/.exec(matrix ?? "") ?? [];
  if (matrix !== undefined && listed === undefined)
    throw usageError(`invalid --matrix "${matrix}": expected a list such as assistants=Empfang,Notdienst`);
  const named = listed === undefined ? [] : listedIn(listed, "--matrix assistants=");
  const retries = input.text("retries") ?? "0";
  if (!/^\d$/.test(retries)) throw usageError(`invalid --retries "${retries}": expected 0 to 9`);
  const minutes = input.text("max-minutes");
  return {
    only: input.texts("only").map((text) => given(text, "--only")),
    tags: input.texts("tag").map((text) => given(text, "--tag")),
    // Use an assistant only once, even if it is listed twice.
    assistants: [...new Set(named)],
    retries: Number(retries),
    maxMinutes: minutes === undefined ? undefined : parseCount(minutes, "--max-minutes"),
  };
}

export function filterSuite(suite: Suite, { only, tags, assistants }: SuiteOptions): Suite {
  const selected = selectScenarios(suite.scenarios, { only, tags });
  return { ...suite, scenarios: withAssistants(selected, assistants) };
}
