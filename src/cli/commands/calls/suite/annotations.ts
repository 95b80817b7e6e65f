import { isAbsolute, relative, resolve } from "node:path";
import type { Io } from "../../../../base/io.js";
import { summaryOf } from "./result-text.js";
import type { ScenarioResult } from "./results.js";
import type { Suite } from "./suite.js";

/**
 * GitHub's own lines, which put a scenario's failure beside its line in the suite. Only where GitHub runs it. Of one in
 * quarantine it is no error, since the job ends with 0.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function annotationOf(
  suite: Suite,
  one: ScenarioResult,
  { env, cwd }: Pick<Io, "env" | "cwd">,
): string | undefined {
  if (env.GITHUB_ACTIONS !== "true" || (one.result !== "failed" && one.result !== "error")) return undefined;
  const file = resolve(cwd, suite.file);
  const workspace = env.GITHUB_WORKSPACE ?? cwd;
  const inside = relative(workspace, file);
  const properties = {
    file: inside.startsWith("..") || isAbsolute(inside) ? suite.file : inside.replaceAll("\\", "/"),
    line: String(one.scenario.line),
    title: one.scenario.name,
  };
  const told = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  const [kind, text] =
    one.quarantinedUntil === undefined
      ? ["error", summaryOf(one)]
      : ["notice", `in quarantine until ${one.quarantinedUntil}: ${summaryOf(one)}`];
  return `::${kind} ${told.join(",")}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
