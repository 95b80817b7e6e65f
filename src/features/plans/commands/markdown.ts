import { escapeControl, formatCount } from "../../../base/text.js";
import type { ShownStep } from "../../../write/plan/sorted.js";
import { formatChangedFields, formatStepName, getStepMark } from "./changes.js";

/** Maximum length of the Markdown, in characters. Comments on pull requests have a similar limit. */
const characterLimit = 60_000;

/** Formats a plan as Markdown with a block per resource type. Changes beyond the limits are only counted. */
export async function formatMarkdown(
  lines: readonly string[],
  steps: AsyncIterable<ShownStep>,
  { limit, unmasked }: { limit: number; unmasked: boolean },
): Promise<string> {
  const [title = "", ...furtherLines] = lines;
  let text = `### ${escapeMarkdown(title)}\n\n${furtherLines.map((line) => `- ${escapeMarkdown(line)}\n`).join("")}`;
  let resource: string | undefined;
  let shown = 0;
  let omitted = 0;
  const closed = () => (resource === undefined ? "" : "```\n\n</details>\n");
  for await (const step of steps) {
    const fields = formatChangedFields(step, { unmasked }).map((line) => `    ${escapeControl(line)}\n`);
    const opening =
      step.resource === resource
        ? ""
        : `${closed()}\n<details><summary>${step.resource}</summary>\n\n\`\`\`diff\n`;
    const entry = `${opening}${escapeFence(`${getStepMark(step)} ${escapeControl(formatStepName(step, { unmasked }))}\n${fields.join("")}`)}`;
    if (shown >= limit || text.length + entry.length > characterLimit) {
      omitted += 1;
      continue;
    }
    text += entry;
    resource = step.resource;
    shown += 1;
  }
  const more =
    omitted > 0 ? `\n… ${formatCount(omitted, "more change")}: \`voxctl plan show PLAN --diff full\`\n` : "";
  return `${text}${closed()}${more}`;
}

/** Escapes code fences, because a code fence in a name would end the code block. */
function escapeFence(text: string): string {
  return text.replaceAll("```", "``\u200b`");
}

function escapeMarkdown(text: string): string {
  return escapeControl(text).replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}
