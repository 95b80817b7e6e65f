// Runs before `npm publish` and refuses an incomplete package. It requires a build.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundledLibraries, licensedNames, licenseFile } from "./licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const problems = [...findMissingUrls(), ...withoutProvenance(), ...missingLicenses()];
for (const problem of problems) console.error(`can't be published: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Users must find the sources, and provenance requires the repository. */
function findMissingUrls() {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  return ["repository", "bugs", "homepage"]
    .filter((field) => !manifest[field])
    .map((field) => `package.json has no ${field}`);
}

/** The registry must show the commit and the build of a package. */
function withoutProvenance() {
  const { publishConfig } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  return publishConfig?.provenance === true
    ? []
    : ["publishConfig in package.json does not require provenance"];
}

function missingLicenses() {
  const dist = `${root}dist`;
  const path = `${dist}/${licenseFile}`;
  if (!existsSync(path)) return [`dist/${licenseFile} not found: run npm run build`];
  const licensed = new Set(licensedNames(readFileSync(path, "utf8")));
  return bundledLibraries(dist)
    .filter((name) => !licensed.has(name))
    .map((name) => `dist/${licenseFile} does not contain the bundled library ${name}`);
}
