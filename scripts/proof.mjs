// The whole of what `npm test` samples: kills at every step of the journal and at 200 random moments, under faults of
// every kind; and two imports and a person beside each other under the service's own limit. Takes an hour or more.
// PROOF_SEED repeats the random moments of another run.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const child = spawn(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    "test/acceptance/killed.test.ts",
    "test/acceptance/shared-limit.test.ts",
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
