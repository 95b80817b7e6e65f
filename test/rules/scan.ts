import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { type ProofType, parseTags, ruleForm, type Tag } from "./tags.js";

interface TaggedTest {
  /** Path below test/, without its extension. */
  file: string;
  line: number;
  title: string;
  rules: ReadonlyMap<string, ReadonlySet<ProofType>>;
}

export interface Scan {
  tests: readonly TaggedTest[];
  /** `file:line` of each test that can be skipped and has no explanatory comment above. */
  unexplainedSkips: readonly string[];
}

type Node = { type: string; start: number; end: number } & Readonly<Record<string, unknown>>;

const testFunctions = new Set(["it", "test"]);
const suiteFunctions = new Set(["describe", "testOnBothTransports", "testOnTransports"]);
const skipping = new Set(["skip", "skipIf", "runIf", "todo", "only", "fails"]);

/** Reads every test below `root`/test, whether `npm test` or another command runs it. */
export function scanTests(root: string): Scan {
  const folder = join(root, "test");
  const tests: TaggedTest[] = [];
  const unexplainedSkips: string[] = [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  for (const file of files) {
    const scan = scanSource(file.replace(/\.test\.ts$/, ""), readFileSync(join(folder, file), "utf8"));
    tests.push(...scan.tests);
    unexplainedSkips.push(...scan.unexplainedSkips);
  }
  return { tests, unexplainedSkips };
}

export function scanSource(file: string, source: string): Scan {
  const tests: TaggedTest[] = [];
  const unexplainedSkips: string[] = [];
  const program = parseAst(source, { lang: "ts" }) as unknown as Node;
  const lineOf = (node: Node) => source.slice(0, node.start).split("\n").length;
  const visit = (node: Node, outer: readonly Tag[]) => {
    const call = node.type === "CallExpression" ? calledTest(node) : undefined;
    let inner = outer;
    if (call) {
      const tags = [...outer, ...parseTags(call.title), ...computedTags(call, source)];
      if (call.modifiers.some((name) => skipping.has(name)) && !isExplained(source, lineOf(node))) {
        unexplainedSkips.push(`${file}:${lineOf(node)}`);
      }
      if (suiteFunctions.has(call.name)) inner = tags;
      else if (tags.length > 0) {
        const rules = new Map<string, Set<ProofType>>();
        for (const { rule, kinds: proofTypes } of tags)
          rules.set(rule, new Set([...(rules.get(rule) ?? []), ...proofTypes]));
        tests.push({ file, line: lineOf(node), title: call.title, rules });
      }
      // Don't search inside a test: tests are never nested, and they contain most of a file.
      if (testFunctions.has(call.name)) return;
    }
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(program, []);
  return { tests, unexplainedSkips };
}

/**
 * Returns the tags of a title with a variable, such as `[${groupRule} refuses]`: one per value in the file's tables.
 */
function computedTags(
  { title, computed }: { title: string; computed: readonly string[] },
  source: string,
): Tag[] {
  const computedTag = parseTags(title.replace("[…", "[D-computed")).find(({ rule }) => rule === "D-computed");
  const proofTypes = computedTag?.kinds ?? [];
  return computed.flatMap((name) =>
    [...source.matchAll(new RegExp(`\\b${name}: "([^"]+)"`, "g"))]
      .map(([, rule = ""]) => rule)
      .filter((rule) => ruleForm.test(rule))
      .map((rule) => ({ rule, kinds: proofTypes })),
  );
}

function isExplained(source: string, line: number): boolean {
  const above = source.split("\n")[line - 2] ?? "";
  return /^\s*(?:\/\/|\*|\/\*\*?)\s*\S/.test(above);
}

/** Parses a call such as `it("…")`, `it.each(…)("…")` or `describe.skipIf(…)("…")`. */
function calledTest(
  node: Node,
): { name: string; modifiers: string[]; title: string; computed: string[] } | undefined {
  const first = (node["arguments"] as Node[])[0];
  const title = titleOf(first);
  if (title === undefined) return undefined;
  const computed = ((first?.["expressions"] ?? []) as Node[])
    .filter(({ type }) => type === "Identifier")
    .map((expression) => String(expression["name"]));
  const modifiers: string[] = [];
  let callee = node["callee"] as Node;
  while (callee.type !== "Identifier") {
    if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression") {
      callee = (callee["callee"] ?? callee["tag"]) as Node;
    } else if (callee.type === "MemberExpression") {
      modifiers.push(String((callee["property"] as Node)["name"]));
      callee = callee["object"] as Node;
    } else return undefined;
  }
  const name = String(callee["name"]);
  return testFunctions.has(name) || suiteFunctions.has(name)
    ? { name, modifiers, title, computed }
    : undefined;
}

function titleOf(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node?.type !== "TemplateLiteral") return undefined;
  return (node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    if (typeof value !== "object" || value === null) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push(child);
  }
  return children;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
