import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** How a test proves a rule: by what is done, by what is refused, over random inputs, or with several asking at once. */
export const kinds = ["positive", "refusal", "property", "concurrency"] as const;
export type Kind = (typeof kinds)[number];

/** One test that names rules in its title: `[public.limits.1] …`, `[public.limits.1 concurrency] …`, `D-cooldown: …`. */
interface TaggedTest {
  /** Below test/, without its ending. */
  file: string;
  line: number;
  title: string;
  rules: readonly string[];
  kinds: ReadonlySet<Kind>;
}

export interface Scan {
  tests: readonly TaggedTest[];
  /** `file:line` of each test that may be left out and doesn't say why in a comment above it. */
  unexplainedSkips: readonly string[];
}

type Node = { type: string; start: number; end: number } & Readonly<Record<string, unknown>>;

const testFunctions = new Set(["it", "test"]);
const suiteFunctions = new Set(["describe", "onBothTransports"]);
const skipping = new Set(["skip", "skipIf", "runIf", "todo", "only", "fails"]);
const ruleForm = /^(?:(?:public|v1|v2|dist|legacy|emulator)\.[a-z0-9.-]+|D-[a-z0-9-]+)$/;

/** Statuses, codes, exceptions, and rules as `X-Emulator-Rule` names them. */
const refusalForms = [
  /\b(?:40[0-5]|409|413|416|429|431|50[0-4])\b/,
  /\W["'][A-Z]+(?:_[A-Z]+)+["']/,
  /"(?:validation_failed|unauthorized|subscription_required|forbidden|not_found|conflict|rate_limit_exceeded)"/,
  /\.rejects\b|toThrow/,
  /"(?:public|v1|v2|dist|legacy)\.[a-z0-9.-]+"|"D-[a-z0-9-]+"/,
];

/** Reads every test below `root`/test, whether npm test runs it or another command. */
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

/** Reads one file of tests. */
export function scanSource(file: string, source: string): Scan {
  const tests: TaggedTest[] = [];
  const unexplainedSkips: string[] = [];
  const program = parseAst(source, { lang: "ts" }) as unknown as Node;
  const lineOf = (node: Node) => source.slice(0, node.start).split("\n").length;
  const textOf = (node: Node) => source.slice(node.start, node.end);
  const helpers = (program["body"] as Node[]).flatMap((node): [string, string][] =>
    node.type === "FunctionDeclaration" ? [[String((node["id"] as Node)["name"]), textOf(node)]] : [],
  );

  const visit = (node: Node, outer: readonly Tag[]) => {
    const call = node.type === "CallExpression" ? calledTest(node) : undefined;
    let inner = outer;
    if (call) {
      const tags = [...outer, ...tagsOf(call.title), ...computedTags(call.computed, source)];
      if (call.modifiers.some((name) => skipping.has(name)) && !isExplained(source, lineOf(node))) {
        unexplainedSkips.push(`${file}:${lineOf(node)}`);
      }
      if (suiteFunctions.has(call.name)) inner = tags;
      else if (tags.length > 0) {
        const told = tags.flatMap(({ kinds }) => kinds);
        tests.push({
          file,
          line: lineOf(node),
          title: call.title,
          rules: [...new Set(tags.map(({ rule }) => rule))],
          kinds: kindsOf(withHelpers(textOf(node), helpers), told),
        });
      }
    }
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(program, []);
  return { tests, unexplainedSkips };
}

interface Tag {
  rule: string;
  kinds: readonly Kind[];
}

/** The rules that a title names: in brackets, by themselves or with how they are proved, and as `D-order:`. */
function tagsOf(title: string): Tag[] {
  const bracketed = [...title.matchAll(/\[([^[\]]+)\]/g)].flatMap(([, inner = ""]) => {
    const words = inner.split(/[\s,;]+/).filter((word) => word !== "");
    const told = kinds.filter((kind) => words.includes(kind));
    return words.filter((word) => ruleForm.test(word)).map((rule) => ({ rule, kinds: told }));
  });
  const plain = [...title.matchAll(/(?<![\w-])(D-[a-z0-9-]+):/g)].map(([, rule = ""]) => ({
    rule,
    kinds: [],
  }));
  return [...bracketed, ...plain];
}

/** `[${groupRule}]`: whatever the file's tables give that name. */
function computedTags(names: readonly string[], source: string): Tag[] {
  return names.flatMap((name) =>
    [...source.matchAll(new RegExp(`\\b${name}: "([^"]+)"`, "g"))]
      .map(([, rule = ""]) => rule)
      .filter((rule) => ruleForm.test(rule))
      .map((rule) => ({ rule, kinds: [] })),
  );
}

/** The text of a test and of the file's functions that it calls. */
function withHelpers(text: string, helpers: readonly [name: string, text: string][]): string {
  const called = helpers.filter(([name]) => new RegExp(`\\b${name}\\(`).test(text));
  return [text, ...called.map(([, body]) => body)].join("\n");
}

/**
 * What the test's own text shows: an expected status, code or exception is a refusal, fast-check a property. What text
 * can't show is said in the tag.
 */
function kindsOf(text: string, told: readonly Kind[]): Set<Kind> {
  const found = new Set<Kind>(told);
  // Without the titles, which name rules as a refusal's header does.
  const body = text.replace(/\[[^[\]\n"]+\]/g, "");
  if (refusalForms.some((form) => form.test(body))) found.add("refusal");
  if (/\bfc\.|numRuns/.test(text)) found.add("property");
  if (found.size === 0) found.add("positive");
  return found;
}

function isExplained(source: string, line: number): boolean {
  const above = source.split("\n")[line - 2] ?? "";
  return /^\s*(?:\/\/|\*|\/\*\*?)\s*\S/.test(above);
}

/** `it("…")`, `it.each(…)("…")`, `describe.skipIf(…)("…")`: its name, what stands behind the dots, and its title. */
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
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(
      (child): child is Node =>
        typeof child === "object" && child !== null && "type" in child && "start" in child,
    ),
  );
}
