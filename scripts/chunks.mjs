// Assigns each source to a chunk, which is one file of the bundle. The code of plain commands, such as
// `contacts list`, is in a few chunks, because each file costs half a millisecond at startup. Rarely needed
// code has its own chunks, which import() loads. The rules use directories and the import graph, so that
// moved or split sources keep their chunk.

/** Directories of modules that plain commands need. Some of these modules are imported dynamically. */
const way = /^cli\/(session|derive)\//;

/** Modules for contacts (the most used resource) and groups (which other resources depend on). */
const mostAsked = /^(emulator|contract)\/public\/(contacts|groups|assigned)$/;

/** Returns the chunk of a source that plain commands need. */
function plainChunk(source) {
  return /^(base|client|contract|generated)\//.test(source) ? "core" : "cli";
}

/**
 * Names of chunks, and patterns of the sources in each chunk. Large contracts have separate chunks: a list
 * command needs only one contract, and schemas are slow to build.
 */
const directories = [
  ["contract-assistants", /^contract\/public\/(?:assistants|pre-call-webhook)$/],
  ["contract-$1", /^contract\/(?:public\/)?(calls|contract|control|distributor)\b/],
  ["contract-more", /^contract\/(?:public|legacy)\//],
  ["contract", /^contract\//],
  ["emulator-rules", /^emulator\/rules\//],
  ["emulator-resources", /^emulator\/(?:audio|calls|distributor|legacy|public)\//],
  ["emulator-more", /^emulator\//],
  ["nouns-contacts", /^cli\/nouns\/contacts\/(?:index|search)$/],
  ["$1", /^cli\/(nouns|commands|bulk)\//],
  ["more", /^cli\//],
  // A separate chunk, because the emulator's server connects to no other servers.
  [
    "network-transport",
    /^client\/(?:authorities|connection-failures|network-transport|proxy|skip-interim-responses|tunnel)$/,
  ],
  ["base", /^(?:base|client)\//],
  ["import", /^features\/(?:import|sync)\//],
  ["plans", /^features\/(?:plans|rehearse|runs)\//],
  ["$1", /^(?:features\/)?([^/]+)\//],
];

/** @returns the name of a source's directory in this table */
function directoryOf(source) {
  const [name, pattern] = directories.find(([, sources]) => sources.test(source));
  return name.replace("$1", pattern.exec(source)[1]);
}

/** Large directories: a command that needs one source of such a directory must not load all of them. */
const large =
  /^(?:features\/(?!emulate\/)|write\/|cli\/bulk\/|contract\/(?:control|distributor|legacy|public)\/)/;

/**
 * Code that all writing commands use. List commands are used most often, so they must not load it. A starting
 * server must not load it either.
 */
const usedByFeatures = /^(?:bulk|write$|contract)/;
const neededByListsAndServers = /^(?:cli\/(?!bulk\/)|client\/|emulator\/|features\/emulate\/)/;

/**
 * @param loads the large directories and the libraries that the source loads
 * @returns the chunk of a source that only some commands need. The chunk's name consists of the source's
 * directory and the names in `loads`
 */
function otherChunk(source, loads) {
  const directory = directoryOf(source);
  if (directory.startsWith("contract")) return directory;
  const loaded = [...loads].filter(
    (name) => name !== directory && (neededByListsAndServers.test(source) || !usedByFeatures.test(name)),
  );
  const contracts = loaded.filter((name) => name.startsWith("contract"));
  const others = loaded
    .filter((name) => !contracts.includes(name))
    .map((name) => (name === "write" ? "bulk" : name));
  const schemas = contracts.length > (directory === "commands" ? 0 : 1) ? ["contracts"] : contracts;
  if (others.length === 0 && contracts.length > 1 && !/^(?:emulator|commands)/.test(directory))
    return "contracts";
  const own = directory === "nouns" && others.includes("bulk") ? "commands" : directory;
  return chunkName([own, ...others, ...schemas]);
}

/** @returns the name of the file of these directories and libraries */
function chunkName(parts) {
  const names = [...new Set(parts)].map((part) => part.replace(/^@/, "").replace(/\W+/g, "-"));
  return names.sort().join("-");
}

function libraryOf(module) {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
}

/**
 * Returns the chunk of a library's module. Its name is the library that voxctl imports directly, or
 * `libraries` if several such libraries use the module.
 */
function libraryChunk(module, context) {
  const modules = new Set([module]);
  const names = new Set();
  for (const id of modules) {
    const { importers, dynamicImporters } = context.getModuleInfo(id);
    for (const importer of [...importers, ...dynamicImporters])
      if (libraryOf(importer) === undefined) names.add(libraryOf(id));
      else modules.add(importer);
  }
  return names.size === 1 ? chunkName(names) : "libraries";
}

/**
 * @param root the project's directory, with a trailing slash
 * @param inputs the bundle's entry points, relative to `root`
 * @returns a function that returns a module's chunk, or null if the bundler chooses the chunk
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
        server: ["index", "start"].map((name) => `${root}src/features/emulate/commands/${name}.ts`),
      },
      sourceOf,
    );
    const { entry, help, tab, plain, emulator, serving, loadsOf } = stages;
    // The root help needs neither schemas nor the client.
    if (help.has(module)) return "run";
    const library = libraryOf(module);
    // Only one command reads JSON Schemas.
    if (library === "zod") return module.endsWith("/from-json-schema.js") ? "zod-from-json-schema" : "zod";
    if (library !== undefined) return plain.has(module) ? "cli" : libraryChunk(module, context);
    const source = sourceOf(module);
    const info = context.getModuleInfo(module);
    // Separate the sources without imports that the entry and other files use, such as the version.
    const isShared = info.importers.some((importer) => !entry.has(importer));
    if (entry.has(module) && isShared && info.importedIds.length === 0) return "start";
    // Completion needs less code than a plain command. The bundler chooses the chunks of its modules.
    if (source === undefined || entry.has(module) || tab.has(module) || info.isEntry) return null;
    // Each resource statically imports its own module in cli/session/references.
    if (plain.has(module) || source.startsWith("cli/session/references/")) return plainChunk(source);
    if (emulator.has(module) && /^(base|contract|generated\/wire)\b/.test(source)) return plainChunk(source);
    const most = mostAsked.exec(source);
    if (most) return most[1] === "emulator" ? "emulator" : "contacts";
    if (
      /^emulator\/(kernel\/|seed\/(?:seed|voices)$)/.test(source) ||
      (emulator.has(module) && /^(emulator|generated)\//.test(source))
    )
      return "emulator";
    // A server needs all of these modules at startup, and each has only a few lines.
    if (serving.has(module)) return "serve";
    return source.startsWith("openapi/") ? null : otherChunk(source, loadsOf(module));
  };
}

/**
 * Returns the modules of each stage: code that runs before the command is known (`entry`), help, completion
 * (`tab`), plain commands, opening an emulator, and starting its server.
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
  const opening = closure([emulator]);
  const loadsOf = createLoads(getModuleInfo, sourceOf, new Set([...before, ...plain, ...opening]));
  return { entry, help, tab, plain, emulator: opening, serving: closure(server), loadsOf };
}

/**
 * Returns a function that returns the large directories and the libraries that a module loads by static
 * imports.
 * @param without modules that every plain command or every emulator loads
 */
function createLoads(getModuleInfo, sourceOf, without) {
  const known = new Map();
  return function loadsOf(module) {
    const loads = known.get(module) ?? new Set();
    if (known.has(module)) return loads;
    known.set(module, loads);
    for (const imported of getModuleInfo(module)?.importedIds ?? []) {
      const source = sourceOf(imported);
      if (libraryOf(imported) !== undefined && !without.has(imported)) loads.add(libraryOf(imported));
      if (source === undefined || without.has(imported)) continue;
      if (large.test(source) && !mostAsked.test(source)) loads.add(directoryOf(source));
      for (const load of loadsOf(imported)) loads.add(load);
    }
    return loads;
  };
}

/**
 * Fails the build if files of the bundle import each other in a cycle. In a cycle, a file can see incomplete
 * exports of another.
 */
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
