import { element } from "./page.js";

const storageKey = "voxctl-docs-language";

/** Also adds Copy buttons to the example requests. */
export function enableLanguages(): void {
  choose(readChoice());
  for (const group of document.querySelectorAll<HTMLElement>(".languages")) {
    group.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      const before = group.getBoundingClientRect().top;
      choose(target.value);
      // Scroll back to this example, because other examples can change their height.
      scrollBy(0, group.getBoundingClientRect().top - before);
      storeChoice(target.value);
    });
    const copy = element("button", "Copy");
    copy.type = "button";
    copy.className = "quiet";
    copy.addEventListener("click", async () => {
      const shown = [...group.querySelectorAll("pre")].find((sample) => sample.checkVisibility());
      await navigator.clipboard.writeText(shown?.textContent ?? "");
      copy.textContent = "Copied";
    });
    group.querySelector("fieldset")?.append(copy);
  }
}

function choose(language: string | null): void {
  for (const choice of document.querySelectorAll<HTMLInputElement>(".languages input"))
    if (choice.value === language) choice.checked = true;
}

/** Returns null if the browser has stored no language or forbids storage. */
function readChoice(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function storeChoice(language: string): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The browser forbids storage, so the choice lasts until the page is closed.
  }
}
