// Collects the licenses of the bundled libraries. Each license text must be distributed with the library's code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const licenseFile = "THIRD-PARTY-LICENSES";
/**
 * Code for which no installed package contains the license: icons in the sources, and C libraries in a
 * WebAssembly module. `within` is the name and the exact version of the package that contains the C
 * libraries.
 */
const copied = [
  { title: "lucide 1.62.0", license: "ISC", file: "../src/base/design/icons.LICENSE" },
  ...[
    { title: "jq 1.8.2", license: "MIT AND BSD-2-Clause AND dtoa", file: "licenses/jq.LICENSE" },
    { title: "oniguruma 6.9.10", license: "BSD-2-Clause", file: "licenses/oniguruma.LICENSE" },
    { title: "decNumber 3.68", license: "ICU", file: "licenses/decNumber.LICENSE" },
  ].map((part) => ({ ...part, within: "jq-wasm 3.0.0-jq-1.8.2" })),
];
const rule = `\n${"=".repeat(80)}\n`;
const licenseNames = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * A plugin that collects the libraries in a bundle.
 * @param folders a set to which it adds the libraries' directories
 */
export function gatherLibraries(folders) {
  return {
    name: "gather-libraries",
    generateBundle(_, bundle) {
      for (const { moduleIds = [] } of Object.values(bundle))
        for (const id of moduleIds) {
          const folder = libraryFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
    },
  };
}

/** `…/node_modules/@a/b/c.js` → `…/node_modules/@a/b`; undefined for a file outside of a library. */
export function libraryFolder(path) {
  return /^(?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(path.split("?")[0])?.[0];
}

/** `…/node_modules/@a/b` → `@a/b` */
export const libraryName = (folder) =>
  folder
    .split(/node_modules[\\/]/)
    .at(-1)
    .replaceAll("\\", "/");

/**
 * Returns the names, versions and licenses of libraries as one text.
 * @param folders the libraries' directories
 * @param others more libraries, each with `title`, `license` and `text`
 * @throws Error for a library without a license text
 */
export function licenseText(folders, others = []) {
  const packages = [...folders].map(libraryOf);
  const libraries = [...packages, ...copied.map((part) => copiedInto(part, packages)), ...others];
  libraries.sort((a, b) => (a.title < b.title ? -1 : 1));
  const titles = libraries.map(({ title, license }) => `- ${title} (${license})`);
  const texts = libraries.map(({ title, text }) => `${rule}${title}${rule}\n${text}\n`);
  return `voxctl contains code of these libraries, each under its own license:\n\n${titles.join("\n")}\n${texts.join("")}`;
}

/** Returns the library names in a text from `licenseText`. */
export function licensedNames(text) {
  return [...text.matchAll(/^- (\S+) \S+ \(/gm)].map(([, name]) => name);
}

/**
 * Returns the names of the libraries in a build. Reads them from the build's source maps.
 * @param dist the build's directory
 */
export function bundledLibraries(dist) {
  const names = new Set();
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".map")) continue;
    for (const source of JSON.parse(readFileSync(join(dist, file), "utf8")).sources) {
      const folder = libraryFolder(source);
      if (folder !== undefined) names.add(libraryName(folder));
    }
  }
  return [...names].sort();
}

function copiedInto({ title, license, file, within }, packages) {
  if (within !== undefined && packages.every((library) => library.title !== within))
    throw new Error(`${title}: ${within} is not bundled; check its parts, and change "copied"`);
  return { title, license, text: readFileSync(new URL(file, import.meta.url), "utf8").trim() };
}

function libraryOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const read = (names) => {
    const files = readdirSync(folder).filter((file) => names.test(file));
    return files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  };
  // Some packages contain their license only in the readme.
  const text = read(licenseNames).join("\n\n") || licenseSection(read(/^readme\./i).join("\n"));
  if (text === undefined)
    throw new Error(`${name} ${version} is bundled, but its package contains no license`);
  return { title: `${name} ${version}`, license: license ?? "see below", text };
}

function licenseSection(readme) {
  const section = readme.split(/^#+ /m).find((part) => /^license\s.*copyright/is.test(part));
  return section?.replace(/^.*/, "").trim();
}
