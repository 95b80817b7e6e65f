// Assigns each source to a file of the bundle. The code that every plain command needs is in a few files,
// since each file costs half a millisecond at startup; rarely needed code stays separate, with its own
// import(). The rules use directories and the import graph, so that moved or split files keep their chunk.

/** Directories whose parts load each other during a plain command. */
const way = /^cli\/(session|derive)\//;

/** Contacts are used most, and every item of a group also needs groups. */
const mostAsked = /^(emulator|contract)\/public\/(contacts|groups|assigned)$/;

/** @returns the chunk of a source that plain commands need */
function plainChunk(source) {
  return /^(base|client|contract|generated)\//.test(source) ? "core" : "cli";
}

/** @returns the chunk of a source that only some commands need; null leaves it to the bundler */
function otherChunk(source) {
  if (/^cli\/commands\/bulk\//.test(source)) return "bulk";
  return /^cli\/(terminal|output|session|derive)\//.test(source) ? "more" : null;
}

/**
 * @param root the project's directory, with a trailing slash
 * @param inputs the bundle's entry points, relative to it
 * @returns a function that returns the chunk of a module, or null to leave it to the bundler
 */
export function chunkNames(root, inputs) {
  const sourceOf = (module) =>
    module.startsWith(`${root}src/`) ? module.slice(`${root}src/`.length).replace(/\.ts$/, "") : undefined;
  let stages;
  return (module, context) => {
    stages ??= findStages(
      (id) => context.getModuleInfo(id),
      {
        entries: inputs.map((input) => root + input),
        emulator: `${root}src/emulator/index.ts`,
        server: `${root}src/features/emulate/commands/start.ts`,
      },
      sourceOf,
    );
    const { entry, help, tab, plain, emulator, serving } = stages;
    // The root help: no schemas, no service.
    if (help.has(module)) return "run";
    const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
    // Only one command reads JSON Schemas.
    if (library === "zod" && !module.endsWith("/from-json-schema.js")) return "zod";
    if (library !== undefined) return plain.has(module) && library !== "zod" ? "cli" : null;
    const source = sourceOf(module);
    const info = context.getModuleInfo(module);
    // Completion needs less than a plain command.
    if (source === undefined || entry.has(module) || tab.has(module) || info.isEntry) return null;
    // References: each resource's file imports its own at once.
    if (plain.has(module) || source.startsWith("cli/session/references/")) return plainChunk(source);
    if (emulator.has(module) && /^(base|contract|generated\/wire)\b/.test(source)) return plainChunk(source);
    const most = mostAsked.exec(source);
    if (most) return most[1] === "emulator" ? "emulator" : "contacts";
    if (
      /^emulator\/(kernel\/|seed\/seed$)/.test(source) ||
      (emulator.has(module) && /^(emulator|generated)\//.test(source))
    )
      return "emulator";
    // A server's startup needs all of these, each of a few lines.
    if (serving.has(module)) return "serve";
    // Reached only by its own import(): it is large, or uses a large library.
    return info.importers.length === 0 ? null : otherChunk(source);
  };
}

/**
 * Modules that are loaded before the command is known, with every help and completion, by plain commands,
 * when an emulator is opened, and when it is served.
 */
function findStages(getModuleInfo, { entries, emulator, server }, sourceOf) {
  const entryOf = (folder) => entries.filter((id) => sourceOf(id)?.startsWith(folder));
  /** Returns the static imports of these modules, recursively. */
  const closure = (starts, without = new Set()) => {
    const found = new Set(starts.filter((id) => !without.has(id)));
    for (const id of found)
      for (const imported of getModuleInfo(id)?.importedIds ?? [])
        if (!without.has(imported)) found.add(imported);
    return found;
  };
  const lazyOf = (ids, isMeant) =>
    [...ids].flatMap((id) =>
      (getModuleInfo(id)?.dynamicallyImportedIds ?? []).filter((lazy) => isMeant(sourceOf(lazy) ?? "")),
    );
  const entry = closure(entryOf("cli/"));
  const help = closure(
    lazyOf(entry, (source) => /^cli\/[^/]+$/.test(source)),
    entry,
  );
  const tab = closure(
    lazyOf(entry, (source) => source.startsWith("cli/completion/")),
    entry,
  );
  const before = new Set([...entry, ...help]);
  const plain = new Set();
  for (let from = before; from.size > 0; ) {
    const next = closure(
      lazyOf(from, (source) => way.test(source)),
      before,
    );
    for (const id of next) if (plain.has(id)) next.delete(id);
    for (const id of next) plain.add(id);
    from = next;
  }
  return { entry, help, tab, plain, emulator: closure([emulator]), serving: closure([server]) };
}

/** Files that import each other at startup would see incomplete exports: those of the bundle must not. */
export const withoutCycles = {
  name: "without-cycles",
  generateBundle(_, bundle) {
    const done = new Set();
    const visit = (file, path) => {
      if (path.includes(file))
        throw new Error(`circular imports between files: ${[...path, file].join(" → ")}`);
      if (done.has(file)) return;
      for (const imported of bundle[file]?.imports ?? []) visit(imported, [...path, file]);
      done.add(file);
    };
    for (const file of Object.keys(bundle)) visit(file, []);
  },
};
