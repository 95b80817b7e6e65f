import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Removes comments and, unless `keepTexts` is set, the content of strings. */
function codeOf(file: string, keepTexts: boolean): string {
  const token = /\/\*[\s\S]*?\*\/|(?<![:"'`/\\[])\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
  return readFileSync(join(root, file), "utf8").replace(token, (match) =>
    match.startsWith("/") ? " " : keepTexts ? match : '""',
  );
}

interface Import {
  file: string;
  /** A layer such as `src/base`, or a package's name. */
  target: string;
  /** Undefined if a package is imported. */
  path: string | undefined;
  type: "static" | "types" | "dynamic";
}

/** A command of a feature belongs to the command line, not to the feature. */
const isCommand = (file: string) => /^src\/features\/[^/]+\/commands\//.test(file);

const featureOf = (file: string) => /^src\/(features\/[^/]+)\//.exec(normalize(file))?.[1];

function layerOf(file: string): string {
  const path = normalize(file);
  if (isCommand(path)) return "cli";
  const [, layer = "", feature = ""] = path.split("/");
  return layer === "features" ? `${layer}/${feature}` : layer;
}

function sourceOf(path: string): string {
  const source = path.replace(/\.js$/, ".ts");
  return existsSync(join(root, `${source}x`)) ? `${source}x` : source;
}

function importsOf(file: string): Import[] {
  const code = codeOf(file, true);
  const imports: Import[] = [];
  const add = (specifier: string, type: Import["type"]) => {
    const own = specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : undefined;
    imports.push({
      file,
      target: own?.startsWith("src/") ? `src/${layerOf(own)}` : (own ?? specifier),
      path: own?.startsWith("src/") ? sourceOf(own) : undefined,
      type,
    });
  };
  const declaration = /^\s*(import|export)\s+(type\s+)?(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm;
  for (const [, , types, specifier = ""] of code.matchAll(declaration))
    add(specifier, types ? "types" : "static");
  for (const [, specifier = ""] of code.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g))
    add(specifier, "dynamic");
  return imports;
}

const sources = filesUnder("src");
const imports = sources.flatMap(importsOf);
const layers = [
  "generated",
  "base",
  "contract",
  "client",
  "openapi",
  "mcp",
  "emulator",
  "write",
  "features/config",
  "features/emulate",
  "features/fleet",
  "features/import",
  "features/lint",
  "features/mirror",
  "features/provision",
  "features/report",
  "features/runs",
  "features/subject",
  "features/suite",
  "features/sync",
  "store",
  "features/webhook",
  "library",
  "cli",
];

const belowFeatures = ["base", "contract", "client", "write"];

/** `lazily` allows only `await import()`; type imports are always allowed. */
const allowed: Record<string, { always: readonly string[]; lazily: readonly string[] }> = {
  generated: { always: [], lazily: [] },
  base: { always: [], lazily: [] },
  contract: { always: ["generated"], lazily: [] },
  client: { always: ["base", "contract"], lazily: [] },
  openapi: { always: ["base", "contract"], lazily: [] },
  mcp: { always: ["base", "contract"], lazily: [] },
  emulator: { always: ["generated", "base", "contract"], lazily: ["openapi", "mcp"] },
  write: { always: ["base", "contract", "client"], lazily: [] },
  "features/config": { always: belowFeatures, lazily: [] },
  "features/emulate": { always: belowFeatures, lazily: ["emulator"] },
  "features/fleet": { always: belowFeatures, lazily: [] },
  "features/import": { always: belowFeatures, lazily: [] },
  "features/lint": { always: belowFeatures, lazily: [] },
  "features/mirror": { always: belowFeatures, lazily: [] },
  "features/provision": { always: [...belowFeatures, "features/import"], lazily: [] },
  "features/report": { always: belowFeatures, lazily: [] },
  "features/runs": { always: [...belowFeatures, "features/import", "features/provision"], lazily: [] },
  "features/subject": { always: [...belowFeatures, "features/import"], lazily: [] },
  "features/suite": { always: belowFeatures, lazily: [] },
  "features/sync": { always: [...belowFeatures, "features/import"], lazily: [] },
  "features/webhook": { always: belowFeatures, lazily: [] },
  store: { always: ["base", "write"], lazily: [] },
  library: { always: ["base", "contract", "client", "emulator"], lazily: ["generated", "features/config"] },
  cli: {
    always: ["generated", "base", "contract", "client"],
    lazily: [
      "emulator",
      "openapi",
      "mcp",
      "write",
      "store",
      ...layers.filter((layer) => layer.startsWith("features/")),
    ],
  },
};

describe("import directions", () => {
  it("the import check detects the imports of every file", () => {
    expect([...new Set(sources.map(layerOf))].filter((layer) => !layers.includes(layer))).toEqual([]);
    expect(imports.length).toBeGreaterThan(sources.length);
    expect(imports.some(({ type }) => type === "dynamic")).toBe(true);
  });

  it.each(layers)("%s imports only its allowed layers", (layer) => {
    const { always, lazily } = allowed[layer] ?? { always: [], lazily: [] };
    const wrong = imports
      .filter(({ file, target }) => layerOf(file) === layer && target.startsWith("src/"))
      .filter(({ file, target, type }) => {
        const targetLayer = target.slice("src/".length);
        if (targetLayer === layer || always.includes(targetLayer)) return false;
        // A command is itself loaded on demand, so it may import its own feature statically.
        if (isCommand(file) && targetLayer === featureOf(file)) return false;
        return !(lazily.includes(targetLayer) && type !== "static");
      });
    expect(wrong).toEqual([]);
  });

  it("within a feature, only the commands may import the command line", () => {
    const cores = imports.filter(({ file }) => featureOf(file) !== undefined && !isCommand(file));
    expect(new Set(cores.map(({ file }) => featureOf(file))).size).toBeGreaterThan(10);
    expect(cores.filter(({ target }) => target === "src/cli")).toEqual([]);
  });

  it("src/contract imports no package except zod", () => {
    const packages = imports.filter(
      ({ file, target }) => layerOf(file) === "contract" && !target.startsWith("src/"),
    );
    expect([...new Set(packages.map(({ target }) => target))]).toEqual(["zod"]);
  });

  it.each([
    "undici",
    "@inquirer/prompts",
    "ora",
    "cli-table3",
    "conf",
    "yaml",
    "papaparse",
    "libphonenumber-js",
    "jq-wasm",
    "ical.js",
  ])("a command loads %s only on demand", (name) => {
    const eager = imports.filter(
      ({ file, target, type }) =>
        (target === name || target.startsWith(`${name}/`)) && type === "static" && !isLoadedLazily(file),
    );
    expect(eager).toEqual([]);
  });

  it("in the emulator, only the server and the module that sends webhooks use network modules", () => {
    const sockets = imports.filter(({ target }) =>
      ["node:http", "node:https", "node:http2", "node:tls"].includes(target),
    );
    expect(
      [...new Set(sockets.map(({ file }) => file))].filter((file) => file.startsWith("src/emulator")),
    ).toEqual(["src/emulator/calls/webhook-request.ts", "src/emulator/server/server.ts"]);
  });

  it("only one file imports an SQLite driver", () => {
    const drivers = imports.filter(
      ({ target }) => target === "@photostructure/sqlite" || target === "node:sqlite",
    );
    expect([...new Set(drivers.map(({ file }) => file))]).toEqual(["src/base/sqlite-driver.ts"]);
  });
});

/** Returns the members of each cycle, including cycles through types and `await import()`. */
function circlesOf(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges)
    if (from !== to) next.set(from, (next.get(from) ?? new Set<string>()).add(to));
  const reached = (start: string) => {
    const reachable = new Set<string>();
    for (const open = [start]; open.length > 0; )
      for (const adjacent of next.get(open.pop() ?? "") ?? [])
        if (!reachable.has(adjacent)) {
          reachable.add(adjacent);
          open.push(adjacent);
        }
    return reachable;
  };
  const all = new Map([...next.keys()].map((from) => [from, reached(from)]));
  const circular = [...all].filter(([from, reachable]) => reachable.has(from)).map(([from]) => from);
  const groups = circular.map((from) => circular.filter((candidate) => all.get(from)?.has(candidate)).sort());
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

describe("the modules of the command line", () => {
  const cli = "src/cli/";
  const own = imports.flatMap(({ file, path }) =>
    layerOf(file) === "cli" && path !== undefined && layerOf(path) === "cli" ? [[file, path] as const] : [],
  );
  /** From the outermost module to the innermost. The empty name stands for files directly in src/cli. */
  const order = [
    "",
    "commands",
    "bulk",
    "derive",
    "completion",
    "session",
    "profiles",
    "output",
    "terminal",
    "errors",
  ];
  const rank = (file: string) => {
    const [folder = ""] = file.slice(cli.length).split("/").slice(0, -1);
    return order.indexOf(isCommand(file) || folder === "nouns" ? "commands" : folder);
  };

  it("the list of modules contains every file of the command line", () => {
    expect(sources.filter((file) => layerOf(file) === "cli" && rank(file) === -1)).toEqual([]);
    expect(new Set(own.map(([file]) => rank(file))).size).toBeGreaterThan(7);
  });

  it("a module of the command line imports no module that is listed before it", () => {
    expect(own.filter(([file, path]) => rank(file) > rank(path))).toEqual([]);
  });

  it("files and directories of the command line have no import cycles", () => {
    expect(circlesOf(own)).toEqual([]);
    expect(circlesOf(own.map(([file, path]) => [dirname(file), dirname(path)]))).toEqual([]);
  });
});

describe("import cycles, with types and lazy imports", () => {
  const files = imports.flatMap(({ file, path }) => (path === undefined ? [] : [[file, path] as const]));

  it("no file of src imports itself through other files", () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(circlesOf(files)).toEqual([]);
  });

  it("no layer of src imports itself through other layers", () => {
    expect(circlesOf(files.map(([file, path]) => [layerOf(file), layerOf(path)]))).toEqual([]);
  });

  it("directories of src have no import cycles, except with their own subdirectories", () => {
    const isInside = (inner: string, outer: string) => `${inner}/`.startsWith(`${outer}/`);
    const apart = files
      .map(([file, path]) => [dirname(file), dirname(path)] as const)
      .filter(([from, to]) => !isInside(from, to) && !isInside(to, from));
    expect(apart.length).toBeGreaterThan(1000);
    expect(circlesOf(apart)).toEqual([]);
  });
});

/** Returns whether every chain of importers contains an `await import()`. */
function isLoadedLazily(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return true;
  seen.add(file);
  const importers = new Set(
    imports.filter(({ path, type }) => path === file && type === "static").map((importer) => importer.file),
  );
  // Every command starts with this module.
  if (file === "src/cli/main.ts") return false;
  return [...importers].every((importer) => isLoadedLazily(importer, seen));
}

describe("proofs that are independent of the code", () => {
  it("the server of the conformance tests imports only Node.js and its own files", () => {
    const externalImports = filesUnder("test/conformance/server")
      .flatMap(importsOf)
      .filter(({ target }) => !target.startsWith("node:") && !target.startsWith("test/conformance/server/"));
    expect(externalImports).toEqual([]);
  });
});

describe("forbidden constructs", () => {
  const effects: readonly [string, RegExp, readonly string[]][] = [
    [
      "reads the system's time",
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bprocess\.hrtime\b/,
      // stopwatch.ts runs in a browser, which can't load clock.ts.
      ["src/base/clock.ts", "src/emulator/server/page/browser/stopwatch.ts"],
    ],
    [
      "reads a text as a time",
      /\bDate\.parse\b/,
      // The contract parses only validated texts, and the page parses only times from the emulator.
      [
        "src/base/time-text.ts",
        "src/contract/distributor/primitives.ts",
        "src/contract/public/calls.ts",
        "src/emulator/server/page/browser/calls/chart.tsx",
        "src/emulator/server/page/browser/clock-move.ts",
        "src/emulator/server/page/browser/format.ts",
        "src/emulator/server/page/browser/pulse.ts",
      ],
    ],
    [
      "uses the system's random numbers",
      /\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\brandomInt\b/,
      ["src/base/random.ts"],
    ],
    ["ends the process", /\bprocess\.exit\b|\bprocess\.abort\b/, []],
    ["writes to the console", /\bconsole\./, ["src/openapi/page/samples.ts"]],
    [
      "uses the process's streams, environment or directory",
      /\bprocess\.(?:stdin|stdout|stderr|env|cwd|argv)\b/,
      // own-program.ts starts voxctl again, the helper is a separate process, and samples.ts contains only
      // text.
      [
        "src/cli/process-io.ts",
        "src/base/own-program.ts",
        "src/cli/profiles/keychain-helper.ts",
        "src/openapi/page/samples.ts",
      ],
    ],
  ];
  it.each(effects)("no file %s, with a few listed exceptions", (_what, pattern, exceptions) => {
    const guilty = sources.filter((file) => !exceptions.includes(file) && pattern.test(codeOf(file, false)));
    expect(guilty).toEqual([]);
    for (const file of exceptions) expect([file, pattern.test(codeOf(file, false))]).toEqual([file, true]);
  });

  it("no file uses the type `any`, non-null assertions or comments that disable type checks", () => {
    const pattern = /[:<,|]\s*any\b|\bas\s+any\b|\bany\[\]|\w\)?!(?:\.|\[|;|,|\))/;
    expect(sources.filter((file) => pattern.test(codeOf(file, false)))).toEqual([]);
    const silenced = sources.filter((file) =>
      /@ts-(?:ignore|expect-error|nocheck)/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(silenced).toEqual([]);
  });

  it("nine out of ten files have fewer than 200 lines, and none has more than 400", () => {
    const lengths = sources
      .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
      // Scripts generate these files, so nobody reads them.
      .filter(({ text }) => !/^(?:\/\*\*?|\/\/)\s*(?:\*\s*)?Generated\b/i.test(text))
      .map(({ file, text }) => ({ file, lines: text.split("\n").length - 1 }));
    expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
    const short = lengths.filter(({ lines }) => lines < 200).length;
    expect(short / lengths.length).toBeGreaterThan(0.9);
  });
});
