import {
  getId,
  getLabel,
  type LintedResource,
  type Organization,
  type ResourceRecord,
} from "./organization.js";

/** `error`: the resource doesn't work; `warning`: it might not work; `note`: the state may be intended. */
const severities = ["error", "warning", "note"] as const;
export type Severity = (typeof severities)[number];

export function bySeverity(left: { severity: Severity }, right: { severity: Severity }): number {
  return severities.indexOf(left.severity) - severities.indexOf(right.severity);
}

type Fix =
  | { action: "update"; changes: Readonly<Record<string, unknown>> }
  /** Saves the item unchanged, so that the service indexes it again. */
  | { action: "reindex" }
  | { action: "delete" };

export interface Flaw {
  record: ResourceRecord;
  message: string;
  help: string;
  fix?: Fix;
}

export interface LintRule {
  id: string;
  severity: Severity;
  summary: string;
  resource: LintedResource;
  reads?: readonly LintedResource[];
  /** Whether the lint rule needs the text of knowledge items. Each text takes one request. */
  readsTexts?: boolean;
  /** Whether the lint rule needs data from the service and therefore can't check a directory. */
  isOfService?: boolean;
  check(organization: Organization): Iterable<Flaw>;
}

export interface Finding {
  rule: string;
  severity: Severity;
  resource: LintedResource;
  id: string;
  name: string;
  message: string;
  help: string;
  /** Location in a configuration directory: relative path and line, starting at 1. */
  file?: string;
  line?: number;
}

export interface FindingWithRecord {
  finding: Finding;
  record: ResourceRecord;
  fix: Fix | undefined;
}

/** Returns the findings with errors first. */
export function check(rules: readonly LintRule[], organization: Organization): FindingWithRecord[] {
  const findings = rules.flatMap((rule) =>
    [...rule.check(organization)].map(({ record, message, help, fix }) => ({
      finding: {
        rule: rule.id,
        severity: rule.severity,
        resource: rule.resource,
        id: getId(record),
        name: getLabel(record),
        message,
        help,
      },
      record,
      fix,
    })),
  );
  return findings.toSorted((left, right) => bySeverity(left.finding, right.finding));
}
