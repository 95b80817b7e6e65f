// Collects the licenses of the bundled libraries: their texts must accompany their code.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const licenseFile = "THIRD-PARTY-LICENSES";
/** The icons that the sources contain. */
const icons = {
  title: "lucide 1.62.0",
  license: "ISC",
  text: readFileSync(new URL("../src/base/design/icons.LICENSE", import.meta.url), "utf8").trim(),
};
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

/**
 * Returns the names, versions and licenses of libraries as one text.
 * @param folders the libraries' directories
 * @throws Error for a library without a license text
 */
export function licenseText(folders) {
  const libraries = [...[...folders].map(libraryOf), icons].sort((a, b) => (a.title < b.title ? -1 : 1));
  const titles = libraries.map(({ title, license }) => `- ${title} (${license})`);
  const texts = libraries.map(({ title, text }) => `${rule}${title}${rule}\n${text}\n`);
  return `voxctl contains code of these libraries, each under its own license:\n\n${titles.join("\n")}\n${texts.join("")}`;
}

/** Returns the names of the libraries in the text that `licenseText` returns. */
export function licensedNames(text) {
  return [...text.matchAll(/^- (\S+) \S+ \(/gm)].map(([, name]) => name);
}

/**
 * Returns the names of the libraries in a build, by its source maps.
 * @param dist the build's directory
 */
export function bundledLibraries(dist) {
  const names = new Set();
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".map")) continue;
    for (const source of JSON.parse(readFileSync(join(dist, file), "utf8")).sources) {
      const folder = libraryFolder(source);
      if (folder !== undefined) names.add(folder.split(/node_modules[\\/]/).at(-1));
    }
  }
  return [...names].sort();
}

function libraryOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => licenseNames.test(file)) : [];
  if (files.length === 0)
    throw new Error(`${name} ${version} is bundled, but its package contains no license`);
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return { title: `${name} ${version}`, license: license ?? "see below", text: texts.join("\n\n") };
}
