import { InputError } from "../../base/input-error.js";
import { suggestName } from "../../base/suggestions.js";
import type { Scenario } from "./suite.js";

/**
 * Selects scenarios by parts of their names and by tags.
 * @throws InputError if none matches, because a job without calls must not pass
 */
export function selectScenarios(
  scenarios: readonly Scenario[],
  { only, tags }: { only: readonly string[]; tags: readonly string[] },
): Scenario[] {
  const plain = (text: string) => text.toLowerCase();
  const names = scenarios.map(({ name }) => name);
  for (const text of only)
    if (!names.some((name) => plain(name).includes(plain(text))))
      throw new InputError(`--only: no scenario has "${text}" in its name`, {
        hint: `${suggestName(text, names)}available: ${names.join(", ")}`,
      });
  const known = [...new Set(scenarios.flatMap((scenario) => scenario.tags))];
  for (const tag of tags)
    if (!known.includes(tag))
      throw new InputError(`--tag: no scenario has the tag "${tag}"`, {
        hint: `${suggestName(tag, known)}${known.length === 0 ? "the suite has no tags" : `available: ${known.join(", ")}`}`,
      });
  const selected = scenarios.filter(
    (scenario) =>
      (only.length === 0 || only.some((text) => plain(scenario.name).includes(plain(text)))) &&
      (tags.length === 0 || tags.some((tag) => scenario.tags.includes(tag))),
  );
  if (selected.length > 0) return selected;
  throw new InputError("no scenario matches both --only and --tag");
}
