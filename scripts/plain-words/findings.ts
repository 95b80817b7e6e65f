import { type Area, phraseRules } from "./phrase-rules.js";
import { readCodeSegments, readMarkdownSegments, type Segment } from "./segments.js";

export interface Finding {
  readonly area: Area;
  readonly rule: string;
  readonly line: number;
  readonly excerpt: string;
  readonly hint: string;
}

const longestTitle = 90;
const longestChangelogEntry = 160;
const longestSentence = 35;
const sql = /\b(SELECT|INSERT|UPDATE|DELETE FROM|CREATE (TABLE|INDEX)|PRAGMA|ALTER TABLE)\b/;

/**
 * Returns a file's phrases that must be rewritten.
 * @param path relative to the project
 */
export function findPhrases(path: string, source: string): Finding[] {
  const segments = path.endsWith(".md") ? readMarkdownSegments(source) : readCodeSegments(path, source);
  const allowed = findAllowances(source);
  return segments.flatMap((segment) => {
    const area = findArea(path, segment);
    if (area === undefined) return [];
    const text = segment.text.trim().replaceAll(/\s/g, " ");
    const offset = segment.text.length - segment.text.trimStart().length;
    return [...matchPhrases(area, text), ...measureShape(path, area, text)]
      .map(({ index, ...match }) => ({
        ...match,
        area,
        line: segment.lines[Math.min(index + offset, segment.lines.length - 1)] ?? 1,
        excerpt: text.slice(Math.max(0, index - 40), index + 60),
      }))
      .filter(({ line, rule }) => !allowed.has(`${line} ${rule}`));
  });
}

interface Match {
  readonly rule: string;
  readonly index: number;
  readonly hint: string;
}

function matchPhrases(area: Area, text: string): Match[] {
  return phraseRules
    .filter(({ areas }) => areas === undefined || areas.includes(area))
    .flatMap(({ id, pattern, hint }) =>
      [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ index }) => ({
        rule: id,
        index,
        hint,
      })),
    );
}

function measureShape(path: string, area: Area, text: string): Match[] {
  const matches: Match[] = [];
  const add = (rule: string, index: number, hint: string) => matches.push({ rule, index, hint });
  if (area === "titles") {
    if (text.length > longestTitle) add("title-long", longestTitle, "shorten the title, or split the test");
    if (/;|, and .*, and /.test(text)) add("title-claims", 0, "one claim per title");
    return matches;
  }
  if (path === "CHANGELOG.md" && text.length > longestChangelogEntry)
    add(
      "changelog-long",
      longestChangelogEntry,
      `one line per entry, at most ${longestChangelogEntry} characters`,
    );
  for (const index of findLongSentences(text))
    add("sentence-long", index, `split sentences of more than ${longestSentence} words`);
  return matches;
}

/** Ignores table rows and lists of names. */
function findLongSentences(text: string): number[] {
  if (text.startsWith("|") || /(\S+, ){6}/.test(text)) return [];
  let start = 0;
  return text.split(/(?<=[.;:!?])\s/).flatMap((sentence) => {
    const index = start;
    start += sentence.length + 1;
    return sentence.split(/\s+/).length > longestSentence ? [index] : [];
  });
}

function findArea(path: string, { type, text }: Segment): Area | undefined {
  if (type === "markdown") return "docs";
  const [top] = path.split("/");
  if (type === "title") return "titles";
  if (type === "string") {
    if (top !== "src" || path.startsWith("src/emulator/seed/demo/") || !isProse(text)) return undefined;
    return path.startsWith("src/emulator/server/page/") ? "page" : "strings";
  }
  return top === "test" ? "test-comments" : top === "scripts" ? "script-comments" : "comments";
}

/** Strings with a shell script start with `#`. */
function isProse(text: string): boolean {
  return !text.startsWith("#") && /[A-Za-z…]+[,;:)]? [A-Za-z(]/.test(text) && !sql.test(text);
}

/** Returns `LINE RULE` for each line on which a comment `plain-words: allow RULE` turns the rule off. */
function findAllowances(source: string): ReadonlySet<string> {
  return new Set(
    source
      .split("\n")
      .flatMap((row, index) =>
        [...row.matchAll(/plain-words: allow ([\w-]+)/g)].flatMap(([, rule]) => [
          `${index + 1} ${rule}`,
          `${index + 2} ${rule}`,
        ]),
      ),
  );
}
