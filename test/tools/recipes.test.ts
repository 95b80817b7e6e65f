// Checks recipes for containers and CI without a network: the tests run the recipes' scripts, and need no
// image or runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { commandLine } from "../helpers/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFileSync(join(root, name), "utf8");
const home = mkdtempSync(join(tmpdir(), "recipes-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs a script of a recipe with bash, with `voxctl` on its path. */
function bash(script: string, variables: Record<string, string>) {
  const voxctl = join(root, "bin/voxctl.js");
  writeFileSync(join(home, "voxctl"), `#!/bin/sh\nexec "${process.execPath}" "${voxctl}" "$@"\n`, {
    mode: 0o755,
  });
  const { PATH = "" } = process.env;
  const ran = spawnSync("bash", ["-eo", "pipefail", "-c", script], {
    cwd: home,
    encoding: "utf8",
    env: {
      PATH: `${home}:${PATH}`,
      HOME: home,
      VOXCTL: voxctl,
      VOXCTL_CONFIG_DIR: join(home, "c"),
      VOXCTL_DATA_DIR: join(home, "d"),
      ...variables,
    },
  });
  return { code: ran.status, said: ran.stdout + ran.stderr };
}

const command = 'test -n "$VOXCTL_API_KEY" && echo "at $VOXCTL_BASE_URL" && exit 7';
const suite = `name: Smoke
scenarios:
  - { name: answered, assistant: Terminservice, to: "+4915112345678", expect: { status: completed } }
`;

const failing = [
  ["an earlier line fails", "false\necho ok"],
  ["the first part of a pipe fails", "false | cat\necho ok"],
  ["a line of a function fails", "check() { false; echo checked; }\ncheck"],
];
const sound = `false || true
if false; then exit 3; fi
! false
printf '<%s> ' '$WHO' "$WHO"`;

describe("the Dockerfile", () => {
  const instructions = read("Dockerfile")
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.trim());
  const last = (name: string) => instructions.findLast((line) => line.startsWith(`${name} `)) ?? "";
  const listIn = (line: string): string[] => JSON.parse(line.slice(line.indexOf("[")));

  it("the Dockerfile follows Docker's rules that can be checked without a build", () => {
    // Docker reads a directive only at the start of the file.
    expect(read("Dockerfile")).toMatch(/^# syntax=/);
    expect(read("Dockerfile").match(/^# (?:syntax|escape|check)=/gm)).toHaveLength(1);
    const known = /^(?:FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) /;
    expect(instructions.filter((line) => !known.test(line))).toEqual([]);
    for (const name of ["ENTRYPOINT", "CMD"])
      expect(instructions.filter((line) => line.startsWith(`${name} `))).toHaveLength(1);
    // With a list, Docker starts the program without a shell, so the program receives the stop signal.
    for (const name of ["ENTRYPOINT", "CMD"]) expect(listIn(last(name)).length).toBeGreaterThan(0);
    for (const line of instructions.filter((instruction) => instruction.startsWith("WORKDIR ")))
      expect(line).toMatch(/^WORKDIR \//);
    // A pipeline would hide the failure of every command except the last one.
    expect(instructions.filter((line) => /^RUN .*(?<!\|)\|(?!\|)/.test(line))).toEqual([]);
    expect(instructions.filter((line) => /^RUN .*(?:\bsudo\b|\bcurl\b|\bwget\b)/.test(line))).toEqual([]);
    expect(
      instructions.filter((line) => /^(?:ENV|ARG) .*(?:KEY|TOKEN|SECRET|PASSWORD)=/i.test(line)),
    ).toEqual([]);
    const ignored = read(".dockerignore").trim().split("\n");
    for (const name of [".git", "node_modules", "dist"]) expect(ignored).toContain(name);
  });

  it("the Dockerfile runs the emulator without root, with a health check and pinned images", () => {
    expect(last("USER")).toBe("USER node");
    expect(instructions.indexOf(last("USER"))).toBeLessThan(instructions.indexOf(last("ENTRYPOINT")));
    expect(instructions.filter((line) => line.startsWith("FROM "))).not.toContainEqual(
      expect.stringMatching(/:latest|^FROM [^:]+$/),
    );
    expect(instructions.filter((line) => line.startsWith("ADD "))).toEqual([]);
  });

  it("the Dockerfile starts the emulator, and its health check fails without a server", async () => {
    const [program, ...argv] = [...listIn(last("ENTRYPOINT")), ...listIn(last("CMD"))];
    expect(program).toBe("voxctl");
    const flags = argv.filter((word) => word.startsWith("--"));
    const { stdout } = await commandLine().run("emulator", "start", "--help");
    for (const flag of flags) expect(stdout).toContain(flag);
    const check = listIn(instructions.find((line) => line.startsWith("HEALTHCHECK ")) ?? "");
    expect(check.slice(0, 2)).toEqual(["node", "-e"]);
    const script = (check[2] ?? "").replace("localhost:4010", "localhost:$PORT");
    const probe = `node -e "$(printf %s "$SCRIPT" | sed "s/[$]PORT/\${VOXCTL_EMULATOR_URL##*:}/")"`;
    expect(
      bash('voxctl emulator exec --seed empty -- bash -c "$PROBE"', { SCRIPT: script, PROBE: probe }).code,
    ).toBe(0);
    expect(bash('node -e "$SCRIPT"', { SCRIPT: script.replace("$PORT", "1") }).code).toBe(1);
  });
});

describe("the GitHub Action", () => {
  const action = parse(read("action.yml"));
  const step = (name: string) => action.runs.steps.find((step: { name?: string }) => step.name === name);

  it("the GitHub Action is a composite action whose scripts contain no GitHub expressions", () => {
    expect(action.runs.using).toBe("composite");
    for (const { run, uses, shell } of action.runs.steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
      else expect([shell, run]).toEqual(["bash", expect.not.stringContaining("${{")]);
    }
  });

  it("the GitHub Action runs a command with an emulator and returns the command's exit code", () => {
    const { run } = step("Run the command with an emulator");
    expect(bash(run, { SEED: action.inputs.seed.default, COMMAND: command })).toEqual({
      code: 7,
      said: expect.stringMatching(/at http:\/\/127\.0\.0\.1:\d+\/api\/v1/),
    });
  });

  it.each(failing)("the GitHub Action fails the step if %s", (_, text) => {
    const { run } = step("Run the command with an emulator");
    expect(bash(run, { SEED: "empty", COMMAND: text }).code).toBe(1);
  });

  it("the GitHub Action runs a command unchanged, with its quotes, variables and `||`", () => {
    const { run } = step("Run the command with an emulator");
    const { code, said: output } = bash(run, { SEED: "empty", COMMAND: sound, WHO: 'Anna "A"' });
    expect([code, output]).toEqual([0, expect.stringContaining(`<$WHO> <Anna "A">`)]);
  });

  it("the GitHub Action keeps the job's PATH, and uses the job's Node.js if it is supported", () => {
    for (const { run = "", uses = "" } of action.runs.steps)
      expect(`${run} ${uses}`).not.toMatch(/setup-node|GITHUB_PATH|GITHUB_ENV/);
    const { run } = step("Find Node for voxctl");
    const path = (version: string) => {
      const output = join(home, "output");
      rmSync(output, { force: true });
      const ran = bash(run, {
        VERSION: version,
        GITHUB_OUTPUT: output,
        RUNNER_TOOL_CACHE: join(home, "tools"),
        RUNNER_OS: "Plan9",
        RUNNER_ARCH: "X64",
      });
      return ran.code === 0 ? readFileSync(output, "utf8").trim() : ran.said.trim();
    };
    expect(path("")).toBe(`path=${process.execPath}`);
    expect(path(process.versions.node)).toBe(`path=${process.execPath}`);
    expect(path("1")).toBe("Node 1 not found: set it up in an earlier step");
  });

  it("the GitHub Action runs a suite of test calls and writes the results as JUnit", () => {
    writeFileSync(join(home, "smoke.yaml"), suite);
    const { code, said: output } = bash(step("Run the suite of test calls").run, { SUITE: "smoke.yaml" });
    expect(code, output).toBe(0);
    expect(readFileSync(join(home, "suite.xml"), "utf8")).toContain("<testcase");
  });
});

describe("the GitLab template", () => {
  const template = parse(read("docs/examples/ci/gitlab.yml"));

  it("the GitLab templates run a command with an emulator, and a suite with a JUnit report", () => {
    for (const job of [".voxctl-emulator", ".voxctl-calls"]) expect(template[job].extends).toBe(".voxctl");
    const { script, variables } = template[".voxctl-emulator"];
    expect(bash(script.join("\n"), { ...variables, COMMAND: command }).code).toBe(7);
    expect(bash(script.join("\n"), { ...variables, COMMAND: sound }).code).toBe(0);
    for (const [, text = ""] of failing)
      expect(bash(script.join("\n"), { ...variables, COMMAND: text }).code).toBe(1);
    writeFileSync(join(home, "smoke.yaml"), suite);
    const calls = template[".voxctl-calls"];
    const { code, said: output } = bash(calls.script.join("\n"), calls.variables);
    expect(code, output).toBe(0);
    expect(calls.artifacts.reports.junit).toBe("suite.xml");
  });
});
