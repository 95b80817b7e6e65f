import type { Keys } from "./keys.js";
import { element } from "./page.js";

const shownHeaders = [
  "X-RateLimit-Remaining",
  "Retry-After",
  "Content-Type",
  "Content-Range",
  "ETag",
  "X-Emulator-Rule",
];

export function enableForm(form: HTMLFormElement, server: string, keys: Keys): void {
  const output = form.parentElement?.querySelector("output");
  if (!output) return;
  let sound: string | undefined;
  const show = async (response: Response) => {
    if (sound !== undefined) URL.revokeObjectURL(sound);
    sound = undefined;
    const headers = shownHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [element("div", element("dt", name), element("dd", value))];
    });
    const isSound = response.headers.get("Content-Type")?.startsWith("audio/") ?? false;
    const body = isSound ? element("audio") : element("pre", readable(await response.text()));
    if (body instanceof HTMLAudioElement) {
      sound = URL.createObjectURL(await response.blob());
      body.controls = true;
      body.src = sound;
    } else body.tabIndex = 0;
    const status = element("p", `${response.status} ${response.statusText}`.trim());
    status.className = response.ok ? "good" : "bad";
    output.replaceChildren(status, element("dl", ...headers), body);
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const keyless = "keyless" in form.dataset;
    const key = keyless ? "" : keys.current();
    if (key === "" && !keyless) {
      const button = element("button", "Enter or select an API key first");
      button.type = "button";
      button.popoverTargetElement = document.getElementById("key-form");
      output.replaceChildren(button);
      return;
    }
    output.replaceChildren(element("p", "…"));
    try {
      await show(await fetch(...buildRequest(form, server, key)));
    } catch (error) {
      const message = element("p", error instanceof Error ? error.message : String(error));
      message.className = "bad";
      output.replaceChildren(message);
    }
  });
}

/**
 * A field's name contains the part of the request: `path:group_id`, `query:limit`, `header:Range` or `body`.
 */
function buildRequest(form: HTMLFormElement, server: string, key: string): [url: string, init: RequestInit] {
  let path = form.dataset["path"] ?? "";
  const query = new URLSearchParams();
  const headers = new Headers();
  let body: string | undefined;
  if (key !== "") headers.set("Authorization", `Bearer ${key}`);
  for (const [field, value] of new FormData(form)) {
    if (typeof value !== "string" || value === "") continue;
    const [part, name = ""] = field.split(/:(.*)/);
    if (part === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (part === "query") query.append(name, value);
    else if (part === "header") headers.set(name, value);
    else {
      body = value;
      headers.set("Content-Type", "application/json");
    }
  }
  const search = query.size > 0 ? `?${query}` : "";
  const method = form.dataset["method"] ?? "GET";
  return [
    `${server}${path}${search}`,
    { method, headers, cache: "no-store", ...(body === undefined ? {} : { body }) },
  ];
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
