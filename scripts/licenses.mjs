// The licences of the libraries that are bundled: their texts have to go where their code goes.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const licenseFile = "THIRD-PARTY-LICENSES";
const rule = `\n${"=".repeat(80)}\n`;
const licenseNames = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * A plugin that gathers which libraries a bundle is made of.
 * @param folders a set that the libraries' folders are added to
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
 * The names, versions and licences of libraries as one text.
 * @param folders theirs
 * @throws Error for a library without the text of a licence
 */
export function licenseText(folders) {
  const libraries = [...folders].map(libraryOf).sort((a, b) => (a.title < b.title ? -1 : 1));
  const titles = libraries.map(({ title, license }) => `- ${title} (${license})`);
  const texts = libraries.map(({ title, text }) => `${rule}${title}${rule}\n${text}\n`);
  return `voxctl contains code of these libraries, each under its own licence:\n\n${titles.join("\n")}\n${texts.join("")}`;
}

/** The names of the libraries that such a text is about. */
export function licensedNames(text) {
  return [...text.matchAll(/^- (\S+) \S+ \(/gm)].map(([, name]) => name);
}

/**
 * The names of the libraries that a build is made of, by its source maps.
 * @param dist the build's folder
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
  if (files.length === 0) throw new Error(`${name} ${version} is bundled, but its package holds no licence`);
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return { title: `${name} ${version}`, license: license ?? "see below", text: texts.join("\n\n") };
}
