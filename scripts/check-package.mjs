// Runs before `npm publish` and refuses an incomplete or too large package. It requires a build. With --preview,
// missing URLs are only reported.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundledLibraries, licensedNames, licenseFile } from "./licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/**
 * Upper limits: users download the package on every machine and in every CI job. Manual pages don't count as
 * files.
 */
const limits = { "packed bytes": 2_500_000, "unpacked bytes": 9_000_000, files: 150 };
const urls = findMissingUrls();
const problems = [...withoutProvenance(), ...missingLicenses(), ...findExcess()];
for (const problem of [...urls, ...problems]) console.error(`can't be published: ${problem}`);
const errors = process.argv.includes("--preview") ? problems : [...urls, ...problems];
process.exitCode = errors.length === 0 ? 0 : 1;

/** Lists the URLs that package.json lacks. Users need them, and npm's provenance requires the repository. */
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

function findExcess() {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ size, unpackedSize, files }] = JSON.parse(packed);
  const counts = {
    "packed bytes": size,
    "unpacked bytes": unpackedSize,
    files: files.filter(({ path }) => !path.startsWith("dist/man/")).length,
  };
  return Object.entries(counts)
    .filter(([name, count]) => count > limits[name])
    .map(([name, count]) => `the package has ${count} ${name}; the limit is ${limits[name]}`);
}
