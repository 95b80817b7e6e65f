import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";

const shared = (host: string, variable: string) => `voxctl_profiles: 1
profiles:
  theirs:
    kind: remote
    surfaces: { public: { url: "https://${host}/api/v1", key_env: ${variable} } }
`;

test.each([
  ["another profile uses it at another host", "evil.example", "ACME_KEY", true],
  ["another profile uses it at the same host", "voice.example", "ACME_KEY", false],
  ["no profile uses it", "evil.example", "THEIRS_KEY", false],
  ["the environment's own URL uses it", "evil.example", "VOXCTL_API_KEY", true],
])(
  "`profiles import` warns about a key variable only if it is used for two hosts: %s",
  async (_, host, variable, warns) => {
    const env = { ACME_KEY: "a-key-of-mine" };
    const { run, runWith, home } = commandLine({ env });
    const url = "https://voice.example/api/v1";
    await run("profiles", "add", "mine", "--url", url, "--key-env", "ACME_KEY", "--no-check");
    writeFileSync(join(home, "team.yaml"), shared(host, variable));
    const own = { VOXCTL_BASE_URL: url, VOXCTL_API_KEY: "b-key-of-mine" };
    const imported = await runWith({ env: own }, "profiles", "import", "team.yaml", "--yes");
    expect(imported.code).toBe(0);
    const warning = `the key in ${variable} is used for two hosts: ${host} (`;
    expect(imported.stderr.includes(warning)).toBe(warns);
  },
);
