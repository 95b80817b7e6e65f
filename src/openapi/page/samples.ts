import type { ApiName } from "../../contract/apis.js";
import { environmentVariables } from "../../contract/environment-variables.js";
import type { LocatedOperation } from "../types.js";

interface Sample {
  language: string;
  title: string;
  text: string;
}

interface ExampleRequest {
  method: string;
  target: string;
  /** Name of the environment variable with the base URL. */
  url: string;
  /** Name of the environment variable with the key; undefined if the operation requires no key. */
  key: string | undefined;
  body: string | undefined;
  isBinary: boolean;
  api: ApiName;
}

/** The examples use the base URL and key in the variables that `voxctl emulator env` prints. */
export function buildSamples(located: LocatedOperation, api: ApiName): readonly Sample[] {
  const request = buildRequest(located, api);
  return [
    { language: "curl", title: "curl", text: formatCurl(request) },
    { language: "voxctl", title: "voxctl", text: formatVoxctl(request) },
    { language: "javascript", title: "JavaScript", text: formatJavaScript(request) },
    { language: "python", title: "Python", text: formatPython(request) },
  ];
}

function buildRequest({ operation, method, path }: LocatedOperation, api: ApiName): ExampleRequest {
  const { parameters = [], requestBody, responses, security } = operation;
  const examples = parameters.filter(({ required }) => required);
  const pathExamples = examples.filter((parameter) => parameter.in === "path");
  const query = new URLSearchParams();
  for (const { in: part, name, example } of examples) if (part === "query") query.set(name, String(example));
  const [success] = Object.values(responses);
  const body = Object.values(requestBody?.content["application/json"]?.examples ?? {})[0];
  const { url, key } = environmentVariables[api];
  return {
    method: method.toUpperCase(),
    target:
      pathExamples.reduce(
        (target, { name, example }) => target.replace(`{${name}}`, encodeURIComponent(String(example))),
        path,
      ) + (query.size > 0 ? `?${query}` : ""),
    url,
    key: security?.length === 0 ? undefined : key,
    body: requestBody && JSON.stringify(body?.value ?? {}, null, 2),
    isBinary: success !== undefined && "content" in success && "audio/wav" in (success.content ?? {}),
    api,
  };
}

function formatCurl({ method, target, url, key, body, isBinary }: ExampleRequest): string {
  return [
    `curl "$${url}${target}"`,
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(key === undefined ? [] : [`-H "Authorization: Bearer $${key}"`]),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quote(body)}`]),
    ...(isBinary ? ["--output recording.wav"] : []),
  ].join(" \\\n  ");
}

function formatVoxctl({ method, target, body, isBinary, api }: ExampleRequest): string {
  return [
    `voxctl api ${method} ${target.includes("?") ? quote(target) : target}`,
    ...(api === "public" ? [] : [`--api ${api}`]),
    ...(body === undefined ? [] : [`--data ${quote(body)}`]),
    ...(isBinary ? ["> recording.wav"] : []),
  ].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function formatJavaScript({ method, target, url, key, body, isBinary }: ExampleRequest): string {
  const headers = [
    ...(key === undefined ? [] : [`    Authorization: \`Bearer \${process.env.${key}}\`,`]),
    ...(body === undefined ? [] : ['    "Content-Type": "application/json",']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`]),
  ];
  return [
    `const response = await fetch(\`\${process.env.${url}}${target}\`${options.length > 0 ? ", {" : ");"}`,
    ...(options.length > 0 ? [...options, "});"] : []),
    `console.log(response.status, await response.${isBinary ? "blob" : "json"}());`,
  ].join("\n");
}

function formatPython({ method, target, url, key, body, isBinary }: ExampleRequest): string {
  return [
    "import os",
    "import requests",
    "",
    `url = os.environ["${url}"] + "${target}"`,
    ...(key === undefined ? [] : [`key = os.environ["${key}"]`]),
    `response = requests.${method.toLowerCase()}(`,
    "    url,",
    ...(key === undefined ? [] : ['    headers={"Authorization": f"Bearer {key}"},']),
    ...(body === undefined ? [] : [`    json=${toPython(body).replaceAll("\n", "\n    ")},`]),
    ")",
    `print(response.status_code, ${isBinary ? "len(response.content)" : "response.json()"})`,
  ].join("\n");
}

const constants: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** Converts JSON to Python. JSON strings are also valid in Python. */
function toPython(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => constants[token] ?? token);
}
