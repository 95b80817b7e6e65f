import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { suggestName } from "../../../base/suggestions.js";
import { formatCount, trimPeriod } from "../../../base/text.js";
import { encryptPlanFlag, type PlanFileOptions, readPlanFileOptions } from "../../../cli/bulk/plan-file.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { formatApplyHint } from "../../../cli/bulk/run-notes.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { View } from "../../../cli/output/output.js";
import { accessFlags } from "../../../cli/session/access-flags.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import { listedIn } from "../../../cli/session/listed.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import type { Finding, FindingWithRecord, LintRule, Severity, Unread } from "../index.js";

const severities = ["error", "warning", "note"] as const satisfies readonly Severity[];

const view: View = {
  columns: [
    { header: "SEVERITY", value: "severity", as: "status", keep: true },
    { header: "RESOURCE", value: "resource", keep: true },
    { header: "NAME", value: "name" },
    { header: "MESSAGE", value: "message" },
  ],
  fields: ["rule", "severity", "resource", "id", "name", "message", "help", "file", "line"],
  empty: "no problems found",
  noun: "finding",
};

const ruleView: View = {
  columns: [
    { header: "RULE", value: "rule", keep: true },
    { header: "SEVERITY", value: "severity", keep: true },
    { header: "REQUIREMENT", value: "summary" },
  ],
  fields: ["rule", "severity", "summary"],
};

export const lint: Command = {
  name: "lint",
  summary: "Check an organization for errors and unused resources",
  description:
    "Finds problems such as deleted prompts, forwardings without a phone number, duplicate knowledge items and calendars that are never " +
    "open. To list the lint rules, use --rules.\n\nMakes no changes: each finding shows the command that fixes it, and --plan " +
    "saves the safe fixes for `voxctl apply`. Reading knowledge texts takes one request per item; to " +
    "avoid these requests, use --skip knowledge-duplicate,knowledge-empty. Exits with code 10 if there are findings.",
  formats: ["sarif"],
  flags: [
    { name: "rules", description: "List the lint rules without reading the organization" },
    { name: "only", value: "rule", description: "Run only this lint rule", repeatable: true },
    { name: "skip", value: "rule", description: "Skip this lint rule", repeatable: true },
    {
      name: "severity",
      value: "least",
      description: "Lowest severity to report",
      choices: severities,
      strict: true,
      default: "note",
    },
    {
      name: "plan",
      value: "file",
      description: "Save the safe fixes to a plan file",
      conflicts: ["directory"],
    },
    { name: "force", description: "Overwrite an existing plan file" },
    encryptPlanFlag,
    {
      name: "directory",
      value: "path",
      description: "Configuration directory to check instead of the organization; sends no requests",
    },
    {
      name: "target",
      value: "name",
      description: "Target to check, if --directory has several",
    },
    ...accessFlags,
  ],
  examples: [
    { command: "voxctl lint" },
    { command: "voxctl lint --severity warning --skip contact-shared-number" },
    { command: "voxctl lint -o sarif > voxctl.sarif", note: "For code scanning" },
    { command: "voxctl lint --directory . --target dev", note: "Check files before applying them" },
    { command: "voxctl lint --plan repairs.plan", note: "Then run `voxctl apply repairs.plan`" },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => runLint(session, input)),
};

async function runLint(session: Session, input: Input): Promise<void> {
  const { rules, readOrganization, check } = await import("../index.js");
  const chosen = selectLintRules(rules, input);
  if (input.on("rules") === true) {
    const rows = chosen.map(({ id, severity, summary }) => ({ rule: id, severity, summary }));
    await session.output.list(rows, ruleView);
    return;
  }
  const folder = input.text("directory");
  if (folder === undefined && input.has("target"))
    throw usageError("--target requires --directory", {
      hint: "to select an organization, use --profile",
    });
  if (folder !== undefined) {
    await lintFolder(session, chosen, folder, input);
    return;
  }
  const plan = readPlanFileOptions(session, input, { flag: "plan" });
  const { client } = await session.connect();
  const { organization, unread } = await readOrganization(
    { client, signal: session.signal, now: session.serviceNow },
    chosen,
  );
  const unreadable = new Set(unread.map(({ resource }) => resource));
  const checkable = chosen.filter(
    ({ resource, reads = [] }) => ![resource, ...reads].some((name) => unreadable.has(name)),
  );
  const results = check(checkable, organization).map((result) =>
    addProfileToHelp(result, session.flags.profile),
  );
  for (const { resource, reason } of unread) session.notes.warn(formatUnread({ resource, reason }));
  await showFindings(
    session,
    chosen,
    results.map(({ finding }) => finding),
    await getSource(session),
  );
  if (plan !== undefined) await sealRepairs(session, results, plan);
  if (results.length > 0) throw toFindingsError(results);
}

/** @throws usage error (2) that names the flag and suggests a similar lint rule */
function selectLintRules(rules: readonly LintRule[], input: Input): LintRule[] {
  const named = (flag: string) =>
    input
      .texts(flag)
      .flatMap((value) => listedIn(value, `--${flag}`).map((name) => findLintRule(rules, name, flag)));
  const [only, skip] = [named("only"), named("skip")];
  const least = severities.findIndex((severity) => severity === (input.text("severity") ?? "note"));
  return rules.filter(
    (rule) =>
      (only.length === 0 || only.includes(rule)) &&
      !skip.includes(rule) &&
      severities.indexOf(rule.severity) <= least,
  );
}

function findLintRule(rules: readonly LintRule[], name: string, flag: string): LintRule {
  const rule = rules.find(({ id }) => id === name);
  if (rule) return rule;
  const suggestion = suggestName(
    name,
    rules.map(({ id }) => id),
  );
  throw usageError(`--${flag}: lint rule "${name}" not found`, {
    hint: `${suggestion}list the lint rules: \`voxctl lint --rules\``,
  });
}

function formatUnread({ resource, reason }: Unread): string {
  return `${resource} can't be read (${trimPeriod(reason)}); skipped the lint rules that require them`;
}

/** Skips the lint rules that need data from the service. */
async function lintFolder(
  session: Session,
  chosen: readonly LintRule[],
  path: string,
  input: Input,
): Promise<void> {
  const { check } = await import("../index.js");
  const { readFolder } = await import("./folder.js");
  const rules = chosen.filter(({ isOfService }) => isOfService !== true);
  const { root, organization, addLocations } = await readFolder(session, path, input);
  const results = addLocations(check(rules, organization));
  await showFindings(
    session,
    rules,
    results.map(({ finding }) => finding),
    toRepositoryPath(root, session.io.cwd),
  );
  if (results.length > 0) throw toFindingsError(results);
}

/**
 * Returns a directory's path relative to its git repository; outside a repository, relative to the working directory.
 */
function toRepositoryPath(root: string, cwd: string): string {
  let base = root;
  while (!existsSync(join(base, ".git")) && dirname(base) !== base) base = dirname(base);
  return relative(existsSync(join(base, ".git")) ? base : cwd, root)
    .split(sep)
    .join("/");
}

function addProfileToHelp(result: FindingWithRecord, profile: string | undefined): FindingWithRecord {
  return { ...result, finding: { ...result.finding, help: addProfileFlag(result.finding.help, profile) } };
}

function addProfileFlag(text: string, profile: string | undefined): string {
  return profile === undefined ? text : text.replace("voxctl ", () => `voxctl --profile ${profile} `);
}

async function getSource(session: Session): Promise<string> {
  const { baseUrl, profile } = await session.connect();
  return baseUrl("public") ?? profile.name;
}

async function showFindings(
  session: Session,
  rules: readonly LintRule[],
  findings: readonly Finding[],
  source: string,
): Promise<void> {
  if (session.flags.ownFormat !== "sarif") {
    // By default, print text instead of a table: the sentences are too long for table cells.
    if (session.output.format !== "table" || session.flags.fields !== undefined || findings.length === 0)
      await session.output.list(findings, view);
    else
      await session.output.lines(
        findings.flatMap((finding, index) => [...(index === 0 ? [] : [""]), ...formatFinding(finding)]),
      );
    return;
  }
  const { buildSarifLog } = await import("../index.js");
  await session.output.json([
    `${JSON.stringify(buildSarifLog(rules, findings, { version, source }), null, 2)}\n`,
  ]);
}

function formatFinding({ severity, rule, resource, name, message, help }: Finding): string[] {
  return [`${severity}  ${resource} "${name}"  ${rule}`, `  ${message}`, `  ${help}`];
}

async function sealRepairs(
  session: Session,
  results: readonly FindingWithRecord[],
  { file, path, force, passphrase }: PlanFileOptions,
): Promise<void> {
  const { buildRepairSteps: repairSteps } = await import("../repair.js");
  const { sealPlan } = await import("../../../write/plan/index.js");
  const steps = repairSteps(results);
  const { client, baseUrl } = await session.connect();
  const { signal, clock: machineClock, random } = session;
  const folder = getRunsFolder(session);
  await makePrivateFolder(folder);
  const { id } = await sealPlan(
    { client, signal, baseUrl: baseUrl("public") ?? "", machineClock, folder },
    { path, force, passphrase, random, command: ["lint", "--plan", file], madeBy: `voxctl ${version}` },
    steps,
  );
  // Write the plan file even if it has no steps, so that no older plan file remains.
  if (steps.length === 0)
    session.notes.note(`No finding has a safe fix. Saved the empty plan ${id} to ${file}.`);
  else
    session.notes.note(
      addProfileFlag(
        `Saved plan ${id} with ${formatCount(steps.length, "fix", "fixes")} to ${file}. ${formatApplyHint(file)}`,
        session.flags.profile,
      ),
    );
}

function toFindingsError(results: readonly FindingWithRecord[]): CliError {
  const counts = severities
    .map((severity) => ({
      severity,
      count: results.filter(({ finding }) => finding.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => formatCount(count, severity));
  return new CliError({
    exit: exits.differences,
    code: "lint_findings",
    message: `found ${counts.join(", ")}`,
    outcome: "none",
  });
}
