import { type MarkdownText, splitMarkdown } from "../../../base/front-matter.js";
import type { Problem } from "../errors.js";
import { resourceTypes } from "../resource-types/index.js";
import type { ResourceType, ResourceTypeName } from "../resource-types/resource-type.js";
import { keyOfPath } from "./keys.js";
import { parseYamlText, type YamlText } from "./yaml.js";

export interface FolderFile {
  /** Relative to the directory, with `/` as the separator. */
  path: string;
  text: string;
}

export interface SourceFile {
  path: string;
  /** Text with LF line endings, because git may change the line endings at checkout. */
  text: string;
  hasCrlf: boolean;
  key: string;
  resourceType: ResourceType;
  /** Whether this is the `_group.yaml` of a directory. */
  isGroupFile: boolean;
  yaml: YamlText;
  /** Offset of the YAML in `text`. In Markdown, the YAML starts on the second line. */
  yamlStart: number;
  markdown: MarkdownText | undefined;
}

/**
 * Reads files of the managed resource types. Skips dotfiles.
 * @param root directory of an overlay, such as `overlays/prod/`, or an empty string
 */
export function readSources(
  files: readonly FolderFile[],
  managed: readonly ResourceTypeName[],
  root: string,
  isIgnored: (key: string) => boolean,
): { sources: SourceFile[]; problems: Problem[] } {
  const sources: SourceFile[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    if (!file.path.startsWith(root)) continue;
    const inner = file.path.slice(root.length);
    const parts = inner.split("/");
    const resourceType = managed.map((name) => resourceTypes[name]).find(({ name }) => name === parts[0]);
    if (resourceType === undefined || parts.length < 2 || parts.some((part) => part.startsWith(".")))
      continue;
    if (isIgnored(keyOfPath(inner))) continue;
    const source = readSource(file, inner, resourceType);
    if (source === undefined) continue;
    if ("message" in source) problems.push(source);
    else sources.push(source);
  }
  return { sources, problems };
}

/** @returns undefined for a file that declares nothing, such as a README */
function readSource(
  { path, text: raw }: FolderFile,
  inner: string,
  resourceType: ResourceType,
): SourceFile | Problem | undefined {
  const isMarkdown = resourceType.layout === "document" || resourceType.layout === "folder";
  const isGroupFile = resourceType.layout === "folder" && /\/_group\.yaml$/.test(inner);
  const ending = isMarkdown && !isGroupFile ? ".md" : ".yaml";
  if (/\.ya?ml$/.test(inner) && !inner.endsWith(ending))
    return { file: path, message: `invalid extension: ${resourceType.name} files end with ${ending}` };
  if (!inner.endsWith(ending)) return undefined;
  if (inner.includes("#"))
    return {
      file: path,
      message: "the file name must not contain #, which separates the file from the item in a key",
    };
  const depth = inner.split("/").length;
  if (resourceType.layout === "folder" && depth !== 3)
    return {
      file: path,
      message: `a ${resourceType.name} file must be in its group's directory: ${resourceType.name}/GROUP/NAME.md`,
    };
  const hasCrlf = raw.includes("\r\n");
  const text = hasCrlf ? raw.replaceAll("\r\n", "\n") : raw;
  const key = isGroupFile ? inner.split("/").slice(0, 2).join("/").normalize("NFC") : keyOfPath(inner);
  const markdown = ending === ".md" ? splitMarkdown(text) : undefined;
  if (ending === ".md" && markdown === undefined)
    return {
      file: path,
      line: 1,
      message: "missing front matter: expected fields between two --- lines",
    };
  const yaml = parseYamlText(markdown?.matter ?? text, path, markdown === undefined ? 1 : 2);
  if ("message" in yaml) return yaml;
  if (typeof yaml.value !== "object" || Array.isArray(yaml.value) || (yaml.value === null && !isGroupFile))
    return { file: path, line: yaml.lineOf([]), message: "expected a mapping of field names to values" };
  return {
    path,
    text,
    hasCrlf,
    key,
    resourceType,
    isGroupFile,
    yaml,
    yamlStart: markdown?.matterStart ?? 0,
    markdown,
  };
}
