import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type BareRoot, bareRoot } from "./bare-root.js";

const project = fileURLToPath(new URL("../..", import.meta.url));
const output = mkdtempSync(join(tmpdir(), "voxctl-binary-"));
const folder = mkdtempSync(join(tmpdir(), "voxctl-binary-"));
let root: BareRoot;

function voxctl(...argv: readonly string[]): string {
  const { code, stdout, stderr } = root.run(argv);
  expect([argv.join(" "), code, stderr]).toEqual([argv.join(" "), 0, expect.anything()]);
  return stdout;
}

const json = (...argv: readonly string[]) => JSON.parse(voxctl(...argv, "-o", "json"));

const canBuild = process.platform === "linux" && process.arch === "x64";

// Building and packing the executable takes a minute on two cores, so only the proof runs these tests. Other
// platforms can't be tested here.
describe.skipIf(!process.env["PROOF"] || !canBuild)("the single executable", () => {
  const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const unpacked = join(output, `voxctl-${version}-linux-x64`);
  const changes = () => execFileSync("git", ["status", "--porcelain"], { cwd: project, encoding: "utf8" });
  let before: string;
  let printed: string;

  beforeAll(() => {
    before = changes();
    const script = [
      "--import",
      "tsx",
      "scripts/release.ts",
      version,
      "--dry-run",
      "--binary",
      "--output",
      output,
    ];
    printed = execFileSync(process.execPath, script, { cwd: project, encoding: "utf8" });
    execFileSync("tar", ["-xzf", `${unpacked}.tar.gz`], { cwd: output });
    root = bareRoot(folder, join(unpacked, "voxctl"));
    // Building and packing an archive of 140 MB takes several minutes on a busy machine.
  }, 900_000);
  afterAll(() => {
    for (const made of [output, folder]) rmSync(made, { recursive: true, force: true });
  });

  it("without HOME or a passwd entry, the executable names the variables to set", () => {
    const environments: Record<string, string>[] = [{}, { HOME: "" }];
    for (const env of environments) {
      const { code, stderr } = root.run(["contacts", "list"], "", env);
      expect([code, stderr]).toEqual([2, expect.stringContaining("set HOME, or VOXCTL_CONFIG_DIR")]);
    }
    const folders = { VOXCTL_CONFIG_DIR: "/tmp/config", VOXCTL_DATA_DIR: "/tmp/data" };
    expect(root.run(["contacts", "list"], "", folders).code).toBe(0);
  });

  it("a dry run of a release changes no file of the checkout", () => {
    expect(printed).toContain("Dry run: no files were changed.");
    expect(changes()).toBe(before);
    const made = readdirSync(output).filter((name) => !name.endsWith("linux-x64"));
    const archives = [
      `voxctl-${version}-container.tar.gz`,
      `voxctl-${version}-linux-x64.tar.gz`,
      `voxctl-${version}-source-maps.tar.gz`,
      `voxctl-${version}.cdx.json`,
      `voxctl-${version}.tgz`,
    ];
    expect(made.toSorted()).toEqual(["NOTES.md", "SHA256SUMS", "homebrew", ...archives]);
    const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: output, encoding: "utf8" });
    expect(checked).toBe(archives.map((name) => `${name}: OK\n`).join(""));
    expect(readFileSync(join(output, "homebrew/voxctl.rb"), "utf8")).toContain(`/voxctl-${version}.tgz"`);
  });

  it("the archive contains the program, manual pages, completions and third-party licenses", () => {
    expect(readdirSync(unpacked).toSorted()).toEqual(
      ["LICENSE", "THIRD-PARTY-LICENSES", "completions", "share", "voxctl", "voxctl.cdx.json"].toSorted(),
    );
    expect(readdirSync(join(unpacked, "share/man/man1"))).toContain("voxctl-contacts.1");
    const licenses = readFileSync(join(unpacked, "THIRD-PARTY-LICENSES"), "utf8");
    const parts = ["zod", "preact", "pg", "pg-boss", "pgpass", "@napi-rs/keyring", "jq", "oniguruma", "node"];
    for (const name of parts) expect(licenses).toContain(`\n- ${name} `);
    expect(licenses).toContain("Node.js is licensed for use as follows");
    const bill = JSON.parse(readFileSync(join(unpacked, "voxctl.cdx.json"), "utf8"));
    const listed = bill.components.map(({ name }: { name: string }) => name);
    expect(listed).toEqual(expect.arrayContaining(parts));
  });

  it("the executable needs only glibc and GCC's libraries", () => {
    expect(root.libraries).toEqual(
      expect.arrayContaining(["libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"]),
    );
  });

  it("the executable runs the README's demo, a rehearsal and an import", () => {
    expect(json("version")).toMatchObject({ node: expect.stringMatching(/^24\./), platform: "linux" });
    expect(voxctl("demo")).toContain("No contact was created twice.");
    const offline = ["--profile", "offline"];
    expect(json("contacts", "list", "--limit", "5", ...offline)).toHaveLength(5);
    voxctl("contacts", "export", "/home/customers.csv", "--group", "Patienten", ...offline);
    const words = ["/home/customers.csv", "--group", "Customers", "--create-group"];
    const { created } = json("contacts", "import", ...words, "--dry-run", ...offline);
    expect(created).toBeGreaterThan(0);
    expect(json("contacts", "import", ...words, ...offline)).toMatchObject({ created, failed: 0 });
    expect(json("runs", "list", ...offline)).toHaveLength(1);
  });

  it("the executable starts itself for the demo, a background server and `emulator exec`", async () => {
    expect(voxctl("demo", "rehearse")).toContain("a temporary emulator");
    const { base_url } = JSON.parse(
      voxctl("emulator", "start", "--db", ":memory:", "--port", "0", "--detach"),
    );
    voxctl("profiles", "add", "local", "--from-emulator");
    expect(json("ping").ok).toBe(true);
    const page = await fetch(`${base_url}/docs/docs.js`);
    expect([page.status, (await page.text()).length]).toEqual([
      200,
      expect.toSatisfy((n: number) => n > 1_000),
    ]);
    expect(json("emulator", "stop").stopped).toBe(true);
    const argv = ["emulator", "exec", "--seed", "empty", "--", "/bin/voxctl"];
    expect(JSON.parse(voxctl(...argv, "contacts", "list", "-o", "json"))).toEqual([]);
    // `emulator exec` exits with the code of its program.
    expect(root.run([...argv, "groups", "get", "nothing"]).code).toBe(4);
  });

  it("the executable supports configuration as code, lint, jq and spreadsheets", () => {
    const offline = ["--profile", "offline"];
    voxctl("config", "init", "/home/config", "--target", "practice", ...offline);
    voxctl("config", "plan", "--target", "practice", "--directory", "/home/config");
    expect([0, 10]).toContain(root.run(["lint", ...offline]).code);
    expect(voxctl("groups", "list", "--jq", "length", ...offline)).toMatch(/^\d+\n?$/);
    voxctl("contacts", "export", "/home/customers.xlsx", "--group", "Patienten", ...offline);
    expect(readFileSync(join(folder, "home/customers.xlsx")).subarray(0, 2).toString()).toBe("PK");
  });

  it("without a keychain, the executable adds a profile and reports the missing keychain", () => {
    const added = root.run(
      ["profiles", "add", "acme", "--no-check", "--url", "http://127.0.0.1:9/api/v1", "--key-stdin"],
      "secret",
    );
    expect([added.code, added.stderr]).toEqual([0, expect.stringContaining("No keychain")]);
    expect(added.stderr).not.toContain("not installed");
  });
});
