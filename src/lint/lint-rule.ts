import {
  getId,
  getLabel,
  type LintedResource,
  type Organization,
  type ResourceRecord,
} from "./organization.js";

/** From what does not work to what may be meant. */
const severities = ["error", "warning", "note"] as const;
export type Severity = (typeof severities)[number];

/** A repair that is certain: whoever looked would make the same. */
type Fix =
  | { action: "update"; changes: Readonly<Record<string, unknown>> }
  /** Saved without a change, so that it is indexed again. */
  | { action: "reindex" }
  | { action: "delete" };

/** A thing, and what is wrong with it. */
export interface Flaw {
  record: ResourceRecord;
  message: string;
  /** The command that helps. */
  help: string;
  fix?: Fix;
}

export interface LintRule {
  id: string;
  severity: Severity;
  /** One sentence: what the rule demands. */
  summary: string;
  resource: LintedResource;
  /** The resources that have to be read for it, beside its own resource. */
  reads?: readonly LintedResource[];
  /** It looks at the texts of knowledge items, which are a request each. */
  readsTexts?: boolean;
  /** It looks at what only the service knows: a folder of files says nothing of it. */
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
  /** The place in a configuration folder: the file, relative to it, and the line from 1. */
  file?: string;
  line?: number;
}

/** A finding with the thing itself, and how it can be repaired. */
export interface FindingWithRecord {
  finding: Finding;
  record: ResourceRecord;
  fix: Fix | undefined;
}

/** The findings of these rules in an organization, errors first. */
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
  const rank = ({ finding }: FindingWithRecord) => severities.indexOf(finding.severity);
  return findings.toSorted((left, right) => rank(left) - rank(right));
}
