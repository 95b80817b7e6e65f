import { byId, element } from "./page.js";

export interface Keys {
  current(): string;
}

/** The emulator's keys require a cookie, which the emulator's web UI sets. */
export function createKeys(): Keys {
  const typed = byId("key", HTMLInputElement);
  const choice = byId("emulator-key-choice", HTMLSelectElement);
  const news = byId("key-news", HTMLParagraphElement);
  const button = byId("key-button", HTMLButtonElement);
  byId("key-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());

  async function take(name: string): Promise<void> {
    const key = fieldsOf(await control(`/keys/${encodeURIComponent(name)}`))["key"];
    if (typeof key === "string") {
      typed.value = key;
      button.textContent = `API key: ${name}`;
    }
    news.textContent =
      typeof key === "string" ? `Using ${name}.` : `The value of ${name} is no longer available.`;
  }

  // Prefer a distributor key for the API version of this page.
  const [, version] = /\/distributor\/(v\d)/.exec(document.body.dataset["server"] ?? "") ?? [];
  const keyType = version === undefined ? "public" : "distributor";

  async function offer(): Promise<void> {
    const keys = await control("/keys");
    if (!Array.isArray(keys)) {
      news.textContent =
        "First open the emulator's page in this browser, with the link from `voxctl open emulator`.";
      return;
    }
    const names = keys
      .map(fieldsOf)
      .filter(({ kind, status, creator }) => kind === keyType && status === "active" && creator !== "control")
      .map(({ name }) => String(name))
      .toSorted(
        (left, right) => Number(right.endsWith(`_${version}`)) - Number(left.endsWith(`_${version}`)),
      );
    choice.replaceChildren(...names.map((name) => element("option", name)));
    byId("emulator-key", HTMLParagraphElement).hidden = false;
    if (names[0] !== undefined) await take(names[0]);
  }

  typed.addEventListener("input", () => {
    button.textContent = "API key: typed";
  });
  choice.addEventListener("change", () => take(choice.value));
  byId("emulator-keys", HTMLButtonElement).addEventListener("click", offer);
  // The emulator's web UI links to this page with this parameter.
  if (new URLSearchParams(location.search).has("emulator-keys")) void offer();
  return { current: () => typed.value.trim() };
}

/** Returns undefined if this page has no access to the emulator's control interface. */
async function control(path: string): Promise<unknown> {
  try {
    const response = await fetch(`/_emulator${path}`, {
      // Pages from other origins can't send such a header.
      headers: { "X-Emulator-UI": "1" },
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
    });
    return response.ok ? fieldsOf(await response.json())["data"] : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
