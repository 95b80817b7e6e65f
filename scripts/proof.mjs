// The whole of what `npm test` samples: kills at every step of the journal and at 200 random moments, under faults of
// every kind. Takes the better part of an hour.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const child = spawn(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    "test/acceptance/killed.test.ts",
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PROOF: "1" },
  },
);
child.on("close", (code) => {
  process.exitCode = code ?? 1;
});
