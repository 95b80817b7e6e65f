import ts from "typescript-api";

/** One text in a file; "…" stands for an inserted value. */
export interface Segment {
  readonly type: "string" | "comment" | "title" | "markdown";
  readonly text: string;
  /** Line number of each character in `text`, counted from 1. */
  readonly lines: readonly number[];
}

const titleCalls = /^(test|it|describe)\b/;

export function readCodeSegments(path: string, source: string): Segment[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const segments: Segment[] = [];
  const literals: [start: number, end: number][] = [];
  const addText = (node: ts.Node, type: Segment["type"], text: string) => {
    segments.push({ type, text, lines: Array(text.length + 1).fill(lineAt(node.getStart())) });
  };
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) literals.push([node.getStart(), node.end]);
    const text = isModuleName(node) ? undefined : readText(node);
    if (text !== undefined) {
      addText(node, isTitle(node) ? "title" : "string", text);
      visitInsertions(node, visit, literals);
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return [
    ...segments,
    ...readComments(
      source,
      literals.sort(([a], [b]) => a - b),
      lineAt,
    ),
  ];
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isJsxText(node) ||
    node.kind === ts.SyntaxKind.TemplateHead ||
    node.kind === ts.SyntaxKind.TemplateMiddle ||
    node.kind === ts.SyntaxKind.TemplateTail
  );
}

function isModuleName(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent);
}

function isTitle(node: ts.Node): boolean {
  const call = node.parent;
  return (
    ts.isCallExpression(call) && call.arguments[0] === node && titleCalls.test(call.expression.getText())
  );
}

function readText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [readText(node.left), readText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Visits only the expressions inside templates, because `readText` has already read the rest. */
function visitInsertions(
  node: ts.Node,
  visit: (node: ts.Node) => void,
  literals: [start: number, end: number][],
): void {
  if (ts.isTemplateExpression(node)) {
    for (const part of [node.head, ...node.templateSpans.map(({ literal }) => literal)])
      literals.push([part.getStart(), part.end]);
    for (const { expression } of node.templateSpans) visit(expression);
  } else if (ts.isBinaryExpression(node)) {
    for (const side of [node.left, node.right]) visitInsertions(side, visit, literals);
  } else if (isLiteral(node)) literals.push([node.getStart(), node.end]);
}

/** Consecutive line comments are one text; each tag of a block comment is a separate text. */
function readComments(
  source: string,
  literals: readonly [start: number, end: number][],
  lineAt: (position: number) => number,
): Segment[] {
  const masked = literals.reduce(
    (parts, [start, end]) => {
      if (start >= parts.at) parts.text += source.slice(parts.at, start) + "·".repeat(end - start);
      parts.at = Math.max(parts.at, end);
      return parts;
    },
    { text: "", at: 0 },
  );
  const code = masked.text + source.slice(masked.at);
  return [...code.matchAll(/\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*|\/\*[\s\S]*?\*\//g)].flatMap((match) => {
    const positions: number[] = [];
    let text = "";
    for (const part of match[0].matchAll(/(?:^|\n)\s*(?:\/\/|\/\*+|\*(?!\/))? ?|\*\/$|([^\n])/g)) {
      text += part[1] ?? (part[0].startsWith("\n") ? " " : "");
      if (text.length > positions.length) positions.push(match.index + part.index);
    }
    return splitTags(text).map(([start, end]) => ({
      type: "comment" as const,
      text: text.slice(start, end),
      lines: [...positions.slice(start, end), match.index + match[0].length - 1].map(lineAt),
    }));
  });
}

function splitTags(text: string): [start: number, end: number][] {
  const starts = [...text.matchAll(/\s@(?=(?:returns?|param|throws)\b)/g)].map(({ index }) => index);
  return [0, ...starts].map((start, index) => [start, starts[index] ?? text.length]);
}

export function readMarkdownSegments(source: string): Segment[] {
  const segments: Segment[] = [];
  let text = "";
  let lines: number[] = [];
  const flush = () => {
    if (text.trim() !== "") segments.push({ type: "markdown", text, lines });
    text = "";
    lines = [];
  };
  let fence: string | undefined;
  for (const [index, row] of source.split("\n").entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(row)?.[1];
    if (mark !== undefined || fence !== undefined) {
      flush();
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (/^ {4}\S/.test(row) && text === "") continue;
    if (row.trim() === "" || /^(#|\||\s*[-*] |\s*\d+\. )/.test(row)) flush();
    text += `${text === "" ? "" : " "}${readProse(row)}`;
    while (lines.length <= text.length) lines.push(index + 1);
  }
  flush();
  return segments;
}

function readProse(row: string): string {
  return row
    .replace(/`[^`]*`/g, "…")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/^\s*([-*]|\d+\.) /, "");
}
