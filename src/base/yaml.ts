// The only module that uses the YAML library. Replaces the library's checks that take quadratic time.
import {
  type Alias,
  type Document,
  type DocumentOptions,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParseOptions,
  parseDocument,
  type Scalar,
  type SchemaOptions,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { ExactNumber, holdsExactly } from "./exact-json.js";
import { withoutSignalListeners } from "./signals.js";

export type YamlPath = readonly (string | number)[];

export interface YamlProblem {
  message: string;
  at: number;
  line: number;
  column: number;
  /** Whether the YAML is valid except for a forbidden alias. */
  isAlias: boolean;
}

export interface YamlTree {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly value: unknown;
  nodeAt(path: YamlPath): unknown;
  keyAt(path: YamlPath): unknown;
}

interface Options extends ParseOptions, DocumentOptions, SchemaOptions {
  refusesAliases?: boolean;
}

/** Maximum length of a file, in characters. Parsing a longer file takes seconds. */
const maximumLength = 4 * 1024 * 1024;
/**
 * Maximum number of values that aliases can add. Without a limit, aliases of aliases can expand to millions
 * of values.
 */
const maximumAliasedValues = 100_000;

/**
 * Parses text with one document. Refuses duplicate keys, and aliases that make a value contain itself. A
 * signal during parsing ends the process immediately.
 * @returns the tree, or the first error
 */
export function readYaml(text: string, options: Options = {}): YamlTree | { problem: YamlProblem } {
  return withoutSignalListeners(() => parseTree(text, options));
}

function parseTree(
  text: string,
  { refusesAliases = false, ...options }: Options,
): YamlTree | { problem: YamlProblem } {
  const lines = new LineCounter();
  const problem = (message: string, at: number, isAlias = false): { problem: YamlProblem } => {
    const { line, col: column } = lines.linePos(at);
    return { problem: { message, at, line, column, isAlias } };
  };
  if (text.length > maximumLength) return problem("it is larger than 4 MiB", 0);
  try {
    // The library compares each key with all previous keys. `checkTree` finds duplicates faster.
    const document = parseDocument(text, { ...options, lineCounter: lines, uniqueKeys: false });
    const [error] = document.errors;
    const flaw = checkTree(document.contents, refusesAliases);
    if (error !== undefined && (flaw === undefined || error.pos[0] <= flaw.at)) {
      const [text = ""] = error.message.split(/ at line|\n/);
      // Replace the library's message, which mentions one of the library's functions.
      const message =
        error.code === "MULTIPLE_DOCS" ? "it contains several documents, separated by ---" : text;
      return problem(message.replace(/:$/, ""), error.pos[0]);
    }
    if (flaw !== undefined) return problem(flaw.message, flaw.at, flaw.isAlias);
    // -1 disables the library's limit on aliases, because counting the aliases takes quadratic time.
    const value: unknown = document.toJS({ maxAliasCount: -1 });
    return { document, lines, value, ...createLookup(document) };
  } catch (error) {
    // The parser and the conversion are recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError) return problem("it is nested too deeply", 0);
    throw error;
  }
}

interface Flaw {
  message: string;
  at: number;
  isAlias: boolean;
}

interface Anchored {
  node: Scalar | YAMLMap | YAMLSeq;
  /** Number of values in the node; undefined while the node is being visited. */
  size: number | undefined;
}

/** Finds errors that the library finds slowly or not at all. */
function checkTree(root: unknown, refusesAliases: boolean): Flaw | undefined {
  const anchored = new Map<string, Anchored>();
  let aliasedValues = 0;
  let flaw: Flaw | undefined;
  const report = (message: string, node: unknown) => {
    flaw ??= { message, at: startOf(node) ?? 0, isAlias: refusesAliases && isAlias(node) };
  };

  const sizeOfAlias = (alias: Alias): number => {
    if (refusesAliases) report("aliases (*name) are not supported; repeat the value instead", alias);
    const target = anchored.get(alias.source);
    if (target === undefined) report(`the alias *${alias.source} has no anchor before it`, alias);
    // The anchor's node is still being visited, so it contains the alias.
    else if (target.size === undefined)
      report(`the alias *${alias.source} makes a value contain itself`, alias);
    // The library's own function would search the whole document.
    alias.resolve = () => target?.node;
    const size = target?.size ?? 0;
    aliasedValues += size;
    if (aliasedValues > maximumAliasedValues) report("its aliases expand to too many values", alias);
    return size;
  };

  const visit = (node: unknown): number => {
    if (flaw !== undefined) return 0;
    if (isAlias(node)) return sizeOfAlias(node);
    if (!isScalar(node) && !isCollection(node)) return 0;
    if (isScalar(node)) keepDigits(node);
    const anchor: Anchored = { node, size: undefined };
    if (node.anchor !== undefined) anchored.set(node.anchor, anchor);
    let size = 1;
    if (isMap(node)) {
      const keys = new Set<string>();
      for (const { key, value } of node.items) {
        if (isScalar(key) && keys.size === keys.add(nameOf(key.value)).size)
          report("Map keys must be unique", key);
        size += visit(key) + visit(value);
      }
    } else if (isSeq(node)) for (const item of node.items) size += visit(item);
    anchor.size = size;
    return size;
  };
  visit(root);
  return flaw;
}

/** Replaces a number that a double can't represent. */
function keepDigits(node: Scalar): void {
  const { value, source = "" } = node;
  if (typeof value !== "number") return;
  const digits = source.replace(/^\+/, "");
  const isDecimal = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(digits);
  const isExact = isDecimal ? holdsExactly(digits) : !Number.isInteger(value) || Number.isSafeInteger(value);
  if (!isExact) node.value = new ExactNumber(digits);
}

function nameOf(key: unknown): string {
  return key === null ? "" : String(key);
}

export function startOf(node: unknown): number | undefined {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === "number" ? start : undefined;
}

type Pair = YAMLMap["items"][number];

function createLookup(document: Document.Parsed): Pick<YamlTree, "nodeAt" | "keyAt"> {
  const indexes = new WeakMap<YAMLMap, Map<string, Pair>>();
  const pairAt = (map: YAMLMap, name: string): Pair | undefined => {
    let index = indexes.get(map);
    if (index === undefined) {
      index = new Map(
        map.items.flatMap((pair) => (isScalar(pair.key) ? [[nameOf(pair.key.value), pair] as const] : [])),
      );
      indexes.set(map, index);
    }
    return index.get(name);
  };
  const nodeAt = (path: YamlPath): unknown => {
    let node: unknown = document.contents;
    for (const part of path) {
      if (isMap(node)) node = pairAt(node, String(part))?.value;
      else if (isSeq(node)) node = node.items[Number(part)];
      else return undefined;
    }
    return node;
  };
  return {
    nodeAt,
    keyAt(path) {
      const holder = nodeAt(path.slice(0, -1));
      return isMap(holder) ? pairAt(holder, String(path.at(-1)))?.key : undefined;
    },
  };
}
