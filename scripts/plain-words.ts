// Finds phrases that read like translated German in strings, comments, test titles and documents. Run by `npm
// run lint`. A comment "plain-words: allow RULE" allows the phrase on the comment's line and on the next
// line.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findPhrases } from "./plain-words/findings.js";

const checked = /^(src|bin|test|scripts)\/.*\.([cm]?js|tsx?)$|^(docs\/(?!reference\/).*|[A-Za-z_-]+)\.md$/;
/** Files that contain the phrases themselves. */
const unchecked = /^(scripts\/plain-words\/|test\/data\/|test\/project\/plain-words)/;

const paths = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => checked.test(path) && !unchecked.test(path));
let count = 0;
for (const path of paths) {
  for (const { rule, line, excerpt, hint } of findPhrases(path, readFileSync(path, "utf8"))) {
    count += 1;
    console.log(`${path}:${line}: ${rule}: "${excerpt}": ${hint}`);
  }
}
console.log(`${count} phrases to rewrite in ${paths.length} files`);
process.exitCode = count === 0 ? 0 : 1;
