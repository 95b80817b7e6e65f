import { mkdir } from "node:fs/promises";
import { formatCount } from "../../../base/text.js";
import type { Finding, FindingWithRecord, LintRule, Severity, Unread } from "../../../lint/index.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { suggestName } from "../../errors/suggestions.js";
import type { View } from "../../output/output.js";
import { accessFlags } from "../../session/access-flags.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { listedIn } from "../../session/listed.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { encryptPlanFlag, type PlanFileOptions, readPlanFileOptions } from "../bulk/plan-file.js";
import { withRefusals } from "../bulk/refusals.js";
import { getRunsFolder } from "../bulk/target.js";

const severities = ["error", "warning", "note"] as const satisfies readonly Severity[];

const view: View = {
  columns: [
    { header: "SEVERITY", value: "severity", as: "status", keep: true },
    { header: "RESOURCE", value: "resource", keep: true },
    { header: "NAME", value: "name" },
    { header: "MESSAGE", value: "message" },
  ],
  fields: ["rule", "severity", "resource", "id", "name", "message", "help", "file", "line"],
  empty: "nothing to complain of",
  noun: "finding",
};

const ruleView: View = {
  columns: [
    { header: "RULE", value: "rule", keep: true },
    { header: "SEVERITY", value: "severity", keep: true },
    { header: "DEMANDS", value: "summary" },
  ],
  fields: ["rule", "severity", "summary"],
};

/** `voxctl lint`: what is wrong with an organization. */
export const lint: Command = {
  name: "lint",
  summary: "Check an organization for errors and unused resources",
  description:
    "Reads assistants and the resources they use, and checks them with lint rules: forwardings without a number, deleted " +
    "prompts, webhooks that no prompt uses, knowledge that was not indexed, duplicate texts, calendars that are never open " +
    "and more. To list the lint rules, use --rules. This command makes no changes. Each finding has the resource, the lint rule and the " +
    "command that fixes it. --plan saves the safe fixes as a plan file for voxctl apply. For code scanning, use -o " +
    "sarif. Each text of a knowledge item takes one request; to avoid them, use --skip knowledge-duplicate,knowledge-empty. " +
    "If there are findings, the command exits with code 10.",
  formats: ["sarif"],
  flags: [
    { name: "rules", description: "List the lint rules without reading the organization" },
    { name: "only", value: "rule", description: "Only this lint rule", repeatable: true },
    { name: "skip", value: "rule", description: "Skip this lint rule", repeatable: true },
    {
      name: "severity",
      value: "least",
      description: "Lowest severity to report",
      choices: severities,
      strict: true,
      default: "note",
    },
    { name: "plan", value: "file", description: "Seal the repairs that are certain as a plan" },
    { name: "force", description: "Replace the file that --plan names" },
    encryptPlanFlag,
    {
      name: "directory",
      value: "path",
      description: "Check a configuration directory instead of an organization, without network",
    },
    {
      name: "target",
      value: "name",
      description: "Target whose files are checked, if --directory has several",
    },
    ...accessFlags,
  ],
  examples: [
    { command: "voxctl lint" },
    { command: "voxctl lint --severity warning --skip contact-shared-number" },
    { command: "voxctl lint -o sarif > voxctl.sarif", note: "For code scanning" },
    { command: "voxctl lint --directory . --target dev", note: "Before anything is applied" },
    { command: "voxctl lint --plan repairs.plan", note: "Then: voxctl apply repairs.plan" },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => runLint(session, input)),
};

async function runLint(session: Session, input: Input): Promise<void> {
  const { rules, readOrganization, check } = await import("../../../lint/index.js");
  const chosen = selectLintRules(rules, input);
  if (input.on("rules") === true) {
    const rows = chosen.map(({ id, severity, summary }) => ({ rule: id, severity, summary }));
    await session.output.list(rows, ruleView);
    return;
  }
  const folder = input.text("directory");
  if (folder === undefined && input.has("target"))
    throw usageError("--target belongs to --directory, which is missing", {
      hint: "to choose the organization, use --profile",
    });
  if (folder !== undefined) {
    if (input.has("plan"))
      throw usageError("--plan does not go with --directory: a folder is repaired in its files");
    await lintFolder(session, chosen, folder, input);
    return;
  }
  const plan = readPlanFileOptions(session, input, { flag: "plan" });
  const { client } = await session.connect();
  const { organization, unread } = await readOrganization(
    { client, signal: session.signal, now: session.serviceNow },
    chosen,
  );
  const results = check(chosen, organization).map((result) =>
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

/** @throws usage error (2) that names the flag and the nearest rule */
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
  throw usageError(`--${flag}: there is no rule "${name}"`, {
    hint: `${suggestion}voxctl lint --rules lists them`,
  });
}

function formatUnread({ resource, reason }: Unread): string {
  return `${resource} can't be read (${reason.replace(/\.$/, "")}): rules that need them found nothing`;
}

/** Lints a directory, without the lint rules that need data of the service. */
async function lintFolder(
  session: Session,
  chosen: readonly LintRule[],
  path: string,
  input: Input,
): Promise<void> {
  const { check } = await import("../../../lint/index.js");
  const { readFolder } = await import("./folder.js");
  const rules = chosen.filter(({ isOfService }) => isOfService !== true);
  const { root, organization, addLocations } = await readFolder(session, path, input);
  const results = addLocations(check(rules, organization));
  await showFindings(
    session,
    rules,
    results.map(({ finding }) => finding),
    root,
  );
  if (results.length > 0) throw toFindingsError(results);
}

/** Adds the profile of a finding to its suggested command. */
function addProfileToHelp(result: FindingWithRecord, profile: string | undefined): FindingWithRecord {
  return { ...result, finding: { ...result.finding, help: addProfileFlag(result.finding.help, profile) } };
}

function addProfileFlag(text: string, profile: string | undefined): string {
  return profile === undefined ? text : text.replace("voxctl ", () => `voxctl --profile ${profile} `);
}

/** The organization, as SARIF names where its findings are. */
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
    // Sentences are too long for table cells.
    if (session.output.format !== "table" || session.flags.fields !== undefined || findings.length === 0)
      await session.output.list(findings, view);
    else
      await session.output.lines(
        findings.flatMap((finding, index) => [...(index === 0 ? [] : [""]), ...formatFinding(finding)]),
      );
    return;
  }
  const { buildSarifLog } = await import("../../../lint/index.js");
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
  const { buildRepairSteps: repairSteps } = await import("../../../lint/repair.js");
  const { planTarget, writePlan } = await import("../../../bulk/plan/index.js");
  const steps = repairSteps(results);
  const { client, baseUrl } = await session.connect();
  const header = {
    made_at: new Date(session.clock.now()).toISOString(),
    made_by: `voxctl ${version}`,
    command: ["lint", "--plan", file],
    target: await planTarget({ client, signal: session.signal, baseUrl: baseUrl("public") ?? "" }),
  };
  const temporaryFolder = getRunsFolder(session);
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const { id } = await writePlan(
    path,
    { header, steps },
    {
      force,
      passphrase,
      random: session.random,
      temporaryFolder,
      waiting: { clock: session.clock, signal: session.signal },
    },
  );
  // Also write a plan file without steps, or an older one would stay and be applied.
  if (steps.length === 0)
    session.notes.note(`no finding has a repair that is certain: plan ${id} in ${file} has no steps`);
  else
    session.notes.note(
      addProfileFlag(
        `plan ${id} is in ${file}, ${formatCount(steps.length, "repair")}: voxctl apply ${file}`,
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
    message: `${counts.join(", ")} found`,
    outcome: "none",
  });
}
