// Which file of the bundle a source goes into. What every command needs is gathered in a few files, since each costs
// half a millisecond to a whole one at the start; what few need stays apart, by its own import().

/** Sources that are read before a command is known: `--version` needs no more. */
const entry = /^cli\/(main|version|process-io|errors|profiles\/folders|completion\/cache)$/;
/** Large by themselves, or with a large library behind them. */
const apart =
  /^(client\/(index|network-transport|tunnel|authorities|interim-answers)|cli\/(yaml|mcp|output\/table|profiles\/(keychain-helper|stored)|completion\/(run|complete|shells|sources|tree.json))|contract\/(contract|descriptions|json-schema|primitives-http)|emulator\/(index|server))$/;

const chunks = [
  // What several commands need, but not the plain ones.
  [
    /^cli\/(bulk-progress|bulk-run|command-tree|emulator-registry|local-server|spinner|ui-link|output\/(relative-time|status)|derive\/rearranged)$/,
    "more",
  ],
  [/^(base|client)\/|^contract\/[^/]+$/, "core"],
  [
    /^cli\/(output|derive|profiles)\/|^cli\/completion\/learn$|^cli\/commands\/secret-source$|^cli\/[^/]+$/,
    "cli",
  ],
  [
    /^emulator\/(kernel|database)\/|^emulator\/[^/]+$|^emulator\/(public|distributor|legacy)\/surface$|^emulator\/seed\/keys$/,
    "emulator",
  ],
];

/**
 * @param root the project's folder, with a slash at its end
 * @returns what names the chunk of a module, null where the bundler is to decide
 */
export function chunkNames(root) {
  let help;
  return (module, context) => {
    // What the help of the whole needs, and with it every command: no schemas, no service.
    help ??= staticImports(`${root}src/cli/run.ts`, (id) => context.getModuleInfo(id));
    if (help.has(module)) return "run";
    const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
    if (library !== undefined) return library === "zod" ? "zod" : null;
    if (!module.startsWith(`${root}src/`)) return null;
    const source = module.slice(`${root}src/`.length).replace(/\.ts$/, "");
    if (entry.test(source) || apart.test(source)) return null;
    return chunks.find(([sources]) => sources.test(source))?.[1] ?? null;
  };
}

/** Files that need each other at their start get each other half made: those of the bundle must not. */
export const withoutCycles = {
  name: "without-cycles",
  generateBundle(_, bundle) {
    const done = new Set();
    const visit = (file, path) => {
      if (path.includes(file)) throw new Error(`files that need each other: ${[...path, file].join(" → ")}`);
      if (done.has(file)) return;
      for (const imported of bundle[file]?.imports ?? []) visit(imported, [...path, file]);
      done.add(file);
    };
    for (const file of Object.keys(bundle)) visit(file, []);
  },
};

/** The modules that are loaded with this one, itself included. */
function staticImports(start, getModuleInfo) {
  const found = new Set([start]);
  for (const module of found) {
    for (const imported of getModuleInfo(module)?.importedIds ?? []) found.add(imported);
  }
  for (const module of found)
    if (entry.test(module.replace(/^.*\/src\//, "").replace(/\.ts$/, ""))) found.delete(module);
  return found;
}
