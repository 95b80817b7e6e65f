import { Document, isCollection, isMap, isScalar, isSeq, Scalar, visit } from "yaml";
import { findExactNumber, stringifyExactJson } from "../../../base/exact-json.js";
import { readYaml, startOf, type YamlPath, type YamlTree } from "../../../base/yaml.js";
import type { Problem } from "../errors.js";

export type { YamlPath };

interface ValueRange {
  /** Offset after the key's colon. For a list entry, the offset of the entry. */
  colon: number;
  start: number;
  end: number;
  /** Column of the key, starting at 0. */
  column: number;
  isInFlow: boolean;
  isBlock: boolean;
}

export interface YamlText {
  readonly text: string;
  readonly value: unknown;
  /** Returns the line of a value, starting at 1; for a missing path, the line of the nearest parent. */
  lineOf(path: YamlPath): number;
  rangeOf(path: YamlPath): ValueRange | undefined;
  endOfMap(path: YamlPath): { at: number; column: number; isFlow: boolean; isEmpty: boolean } | undefined;
  /** The range includes only whole lines. */
  entryRange(path: YamlPath): { start: number; end: number } | undefined;
}

/** @returns a problem if the text is not one valid YAML document */
export function parseYamlText(text: string, file: string, firstLine = 1): YamlText | Problem {
  const tree = readYaml(text, { refusesAliases: true });
  if ("problem" in tree) {
    const { line, message, isAlias } = tree.problem;
    return {
      file,
      line: line + firstLine - 1,
      message: isAlias ? message : `invalid YAML: ${message}`,
    };
  }
  const lineAt = (offset: number) => tree.lines.linePos(offset).line + firstLine - 1;
  const long = findExactNumber(stringifyExactJson(tree.value));
  if (long !== undefined) {
    const line = lineAt(startOf(tree.nodeAt(long)) ?? 0);
    return { file, line, message: `${long.join(".")}: the number has too many digits; put text in quotes` };
  }
  return { text, value: tree.value, ...createYamlLocator(tree, text, lineAt) };
}

function createYamlLocator(
  { document, lines, nodeAt, keyAt }: YamlTree,
  text: string,
  lineAt: (offset: number) => number,
): Omit<YamlText, "text" | "value"> {
  const endOf = (node: unknown): number => {
    const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
    const end: unknown = Array.isArray(range) ? range[1] : undefined;
    return typeof end === "number" ? end : 0;
  };
  const columnAt = (offset: number) => lines.linePos(offset).col - 1;
  return {
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const part = path.slice(0, length);
        const start = startOf(keyAt(part)) ?? startOf(nodeAt(part));
        if (start !== undefined) return lineAt(start);
      }
      return lineAt(startOf(document.contents) ?? 0);
    },
    rangeOf(path) {
      const node = nodeAt(path);
      const key = keyAt(path);
      if (!isScalar(node) && !isCollection(node)) return undefined;
      const [start, end] = node.range ?? [];
      if (start === undefined || end === undefined) return undefined;
      const holder = nodeAt(path.slice(0, -1));
      const keyStart = startOf(key);
      return {
        colon: key === undefined ? start : text.indexOf(":", endOf(key)) + 1,
        start,
        end,
        column: columnAt(keyStart ?? start),
        isInFlow: isCollection(holder) && holder.flow === true,
        isBlock: isScalar(node)
          ? node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED"
          : node.flow !== true,
      };
    },
    endOfMap(path) {
      const node = nodeAt(path);
      if (!isMap(node)) return undefined;
      const [start, end] = node.range ?? [];
      if (start === undefined || end === undefined) return undefined;
      const first = startOf(node.items[0]?.key);
      const isFlow = node.flow === true;
      return {
        at: isFlow ? text.lastIndexOf("}", end) : end,
        column: columnAt(first ?? start),
        isFlow,
        isEmpty: node.items.length === 0,
      };
    },
    entryRange(path) {
      const holder = nodeAt(path.slice(0, -1));
      const index = path.at(-1);
      if (!isSeq(holder) || holder.flow === true || typeof index !== "number") return undefined;
      const start = startOf(holder.items[index]);
      if (start === undefined) return undefined;
      const next = startOf(holder.items[index + 1]);
      const lineStart = (offset: number) => text.lastIndexOf("\n", offset - 1) + 1;
      return {
        start: lineStart(start),
        end: next === undefined ? (holder.range?.[1] ?? text.length) : lineStart(next),
      };
    },
  };
}

/** voxctl quotes strings that look like a number or an ID. */
const looksLikeNumber = /^[-+.\d][\d.,:_eE+-]*$|^[0-9a-f]{24}$/;
const unprintable =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\r]|\p{Surrogate}/u;

export function yamlKey(name: string): string {
  return yamlOf({ [name]: null }).replace(/: null\n$/, "");
}

/** Writes YAML in the canonical form of configuration files, with a final line feed. */
export function yamlOf(value: unknown): string {
  const document = new Document(value, { compat: "yaml-1.1", aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, scalar, path) {
      const text = scalar.value;
      if (typeof text !== "string") return;
      const holder = path.at(-1);
      // Map keys and values in brackets must fit on one line.
      const isInline = key === "key" || (isSeq(holder) && holder.flow === true);
      if (
        (isInline && text.includes("\n")) ||
        looksLikeNumber.test(text) ||
        unprintable.test(text) ||
        /[ \t]\n|\n[ \t]+$|^\s|\t/.test(text) ||
        (!text.includes("\n") && text !== text.trim())
      )
        scalar.type = Scalar.QUOTE_DOUBLE;
      else if (text.includes("\n")) scalar.type = Scalar.BLOCK_LITERAL;
    },
    Seq(_, sequence) {
      // Lists of strings contain only names, so one line is enough.
      if (sequence.items.every((item) => isScalar(item) && typeof item.value === "string"))
        sequence.flow = true;
    },
  });
  return document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}
