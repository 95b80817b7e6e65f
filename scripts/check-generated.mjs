// Fails if a generated file is outdated, or if the lock file contains download URLs.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

if (readFileSync(`${root}package-lock.json`, "utf8").includes('"resolved"')) {
  console.error(
    "package-lock.json contains download URLs: run npm install --package-lock-only with omit-lockfile-registry-resolved=true",
  );
  process.exit(1);
}

execFileSync(process.execPath, ["--import", "tsx", "scripts/generate.ts"], { cwd: root, stdio: "inherit" });
const changed = execFileSync(
  "git",
  ["status", "--porcelain", "--", "docs", "completions", "src", "package.json"],
  {
    cwd: root,
    encoding: "utf8",
  },
);
if (changed.trim() !== "") {
  console.error(`generated files are outdated; run npm run generate and commit:\n${changed}`);
  process.exit(1);
}
console.log("generated files are up to date");
