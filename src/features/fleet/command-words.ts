import { type Labels, labelIn } from "./selection.js";

interface Filled {
  words: string[];
  problems: string[];
}

/** Fills `{name}` and `{label.KEY}` within each word, so that a value with a space stays one word. */
export function fillWords(template: readonly string[], labels: Labels): Filled {
  const problems: string[] = [];
  const words = template.map((word) => {
    const filled = word.replace(/\{(?:(name)|label\.([^{}]+))\}/g, (placeholder, name, label) => {
      const value = labelIn(labels, name ?? label);
      if (value === undefined || value === "") problems.push(`${placeholder} has no value`);
      return value ?? "";
    });
    if (filled.startsWith("-") && !word.startsWith("-"))
      problems.push(`"${word}" becomes "${filled}", which looks like a flag`);
    return filled;
  });
  return { words, problems };
}

const journaledActions = new Set(["import", "sync", "dedupe", "apply"]);

/** Returns whether running a command again after a crash resumes its unfinished run. */
export function isJournaled(path: readonly string[]): boolean {
  const [first, second = ""] = path;
  if (first === "runs") return second === "undo" || second === "resume";
  return journaledActions.has(path.at(-1) ?? "");
}

/**
 * Returns whether a command only compares data. For such a command, exit code 10 (differences) is not a
 * failure.
 */
export function isComparison(path: readonly string[], hasCheckFlag: boolean): boolean {
  return hasCheckFlag || ["plan", "diff", "check"].includes(path.at(-1) ?? "");
}
