import type { Finding, LintRule } from "./lint-rule.js";

interface SarifOptions {
  version: string;
  /** Base URL of the service, or the directory's path in the repository. */
  source: string;
}

/** Returns findings as a SARIF 2.1.0 log, for code scanning in GitHub and GitLab. */
export function buildSarifLog(
  rules: readonly LintRule[],
  findings: readonly Finding[],
  { version, source }: SarifOptions,
): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "voxctl lint",
            semanticVersion: version,
            rules: rules.map(({ id, severity, summary }) => ({
              id,
              shortDescription: { text: summary },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        results: findings.map((finding) => toResult(rules, finding, source)),
      },
    ],
  };
}

function toResult(
  rules: readonly LintRule[],
  { rule, severity, resource, id, name, message, help, file, line }: Finding,
  source: string,
): object {
  // In a directory, the ID is the resource's key, which starts with the resource type, as in `prompts/a`.
  const path = file === undefined ? [source, resource, id] : [source, id];
  const uri =
    file === undefined ? `${resource}/${encodeURIComponent(id)}` : encodeURI(joinNonEmpty([source, file]));
  const artifactLocation = file === undefined ? { uri } : { uri, uriBaseId: "%SRCROOT%" };
  const region = line === undefined ? {} : { region: { startLine: line } };
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex((candidate) => candidate.id === rule),
    level: severity,
    message: { text: `${resource} "${name}": ${message}. ${help}` },
    locations: [
      {
        physicalLocation: { artifactLocation, ...region },
        logicalLocations: [{ name, fullyQualifiedName: joinNonEmpty(path), kind: "resource" }],
      },
    ],
    partialFingerprints: { "resource/v1": `${rule}/${resource}/${id}` },
  };
}

function joinNonEmpty(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("/");
}
