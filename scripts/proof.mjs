// The long proofs, whole: kills at every step, models, and the suite on every Node version that we say works.
//   npm run proof             all of it
//   npm run proof -- node24   one part: here, node20, node22, node24
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = "node_modules/vitest/vitest.mjs";

const parts = [
  // On the Node that runs this: every sequence, every kill.
  { name: "here", command: process.execPath, arguments: [vitest, "run"], env: { PROOF: "1" } },
  // Elsewhere: the suite as `npm test` runs it. The binaries come as npm packages.
  ...["20.19", "22", "24"].map((version) => ({
    name: `node${version.split(".")[0]}`,
    command: "npx",
    arguments: ["--yes", "--package", `node@${version}`, "node", vitest, "run"],
    env: {},
  })),
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `no such part: ${unknown.join(", ")}; there are ${parts.map((part) => part.name).join(", ")}`,
  );
  process.exit(2);
}

const failed = [];
for (const part of parts.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  console.log(`== ${part.name}`);
  const ran = spawnSync(part.command, part.arguments, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...part.env },
  });
  if (ran.status !== 0) failed.push(part.name);
}
console.log(failed.length === 0 ? "every proof holds" : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
