import { byId } from "./page.js";

/** Enables the list of operations: it can be filtered by words, and closes after a choice if it covers the content. */
export function enableMenu(): void {
  const menu = byId("menu", HTMLElement);
  const filter = byId("filter", HTMLInputElement);
  filter.closest<HTMLElement>(".filter")?.removeAttribute("hidden");
  filter.addEventListener("input", () => narrow(menu, filter.value));
  menu.addEventListener("click", ({ target }) => {
    // On a wide screen, the list is not an open popover.
    if (target instanceof Element && target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
  });
}

function narrow(menu: HTMLElement, text: string): void {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  for (const item of menu.querySelectorAll<HTMLElement>("[data-words]"))
    item.hidden = !words.every((word) => item.dataset["words"]?.includes(word));
  for (const group of menu.querySelectorAll<HTMLElement>(":scope > ul > li"))
    group.hidden = words.length > 0 && group.querySelector("[data-words]:not([hidden])") === null;
}
