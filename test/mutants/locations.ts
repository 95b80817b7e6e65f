import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

interface Declaration {
  /** Path below src/. */
  file: string;
  source: string;
  start: number;
  end: number;
}

interface Token {
  text: string;
  start: number;
  end: number;
}

/** The location of a mutant: in `file`, the characters from `start` to `end` become `text`. */
export interface MutantLocation {
  file: string;
  start: number;
  end: number;
  text: string;
}

/** Only these directories of src/ implement API rules. */
export const mutatedFolders = ["client", "contract", "emulator"];

export function readDeclarations(src: string, folders: readonly string[]): Declaration[] {
  return folders.flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name);
        return declarationsOf(relative(src, path), readFileSync(path, "utf8"));
      }),
  );
}

/** Splits a source before each line that starts a declaration or the comment above a declaration. */
export function declarationsOf(file: string, source: string): Declaration[] {
  const starts: number[] = [];
  let offset = 0;
  let inComment = false;
  for (const line of source.split("\n")) {
    const isComment = /^(?:\/\/|\/\*| \*)/.test(line);
    if (!inComment && (isComment || /^[a-z]/.test(line))) starts.push(offset);
    inComment = isComment;
    offset += line.length + 1;
  }
  return starts.map((start, index) => ({ file, source, start, end: starts[index + 1] ?? source.length }));
}

/**
 * Returns every match of `find` in declarations whose comments name the API rule. Accepts consistently
 * renamed identifiers, so that renames in the sources need no change of the mutants.
 */
export function findLocations(
  declarations: readonly Declaration[],
  mutant: { rule: string; find: string; replace: string },
): MutantLocation[] {
  const named = new RegExp(`(?<![\\w.-])${mutant.rule.replaceAll(".", "\\.")}(?![\\w-]|\\.\\w)`);
  const pattern = tokenize(mutant.find);
  const candidates = declarations
    .filter(({ source, start, end }) => named.test(source.slice(start, end)))
    .flatMap((declaration) => findMatches(declaration, pattern));
  const most = Math.max(...candidates.map(({ equal }) => equal));
  return candidates
    .filter(({ equal }) => equal === most)
    .map(({ file, start, end, names }) => ({ file, start, end, text: renamed(mutant.replace, names) }));
}

interface Match {
  file: string;
  start: number;
  end: number;
  /** Names in the source, by the corresponding name in the mutant. */
  names: ReadonlyMap<string, string>;
  equal: number;
}

function findMatches({ file, source, start, end }: Declaration, pattern: readonly Token[]): Match[] {
  const tokens = tokenize(source.slice(start, end));
  const matches: Match[] = [];
  for (let first = 0; first + pattern.length <= tokens.length; first++) {
    const names = matchNames(pattern, tokens, first);
    const last = tokens[first + pattern.length - 1];
    if (!names || !last) continue;
    const equal = [...names].filter(([mutantName, sourceName]) => mutantName === sourceName).length;
    matches.push({ file, start: start + (tokens[first]?.start ?? 0), end: start + last.end, names, equal });
  }
  return matches;
}

/**
 * Returns the source's name for each name in the mutant; undefined if other tokens differ or a name has two
 * counterparts.
 */
function matchNames(
  pattern: readonly Token[],
  tokens: readonly Token[],
  first: number,
): ReadonlyMap<string, string> | undefined {
  const names = new Map<string, string>();
  for (const [index, { text }] of pattern.entries()) {
    const sourceText = tokens[first + index]?.text ?? "";
    if (!isName(text) || !isName(sourceText)) {
      if (text !== sourceText) return undefined;
      continue;
    }
    if ((names.get(text) ?? sourceText) !== sourceText) return undefined;
    names.set(text, sourceText);
  }
  return new Set(names.values()).size === names.size ? names : undefined;
}

const renamed = (text: string, names: ReadonlyMap<string, string>) =>
  text.replace(/[A-Za-z_$][\w$]*/g, (name) => names.get(name) ?? name);

const keywords = new Set(
  "async await case const default else false for function if in let new null of return switch throw true typeof undefined".split(
    " ",
  ),
);

const isName = (text: string) => /^[A-Za-z_$]/.test(text) && !keywords.has(text);

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|(?<![:"'])\/\/ .*|\/\*\*? [\s\S]*?\*\/|[A-Za-z_$][\w$]*|\d[\w.]*|[\s\S]/gu;
  for (const { 0: token, index } of text.matchAll(pattern)) {
    if (/^(?:\s|\/\/ |\/\*\*? )/.test(token)) continue;
    tokens.push({ text: token, start: index, end: index + token.length });
  }
  return tokens;
}
