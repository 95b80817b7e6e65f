import { byId } from "./page.js";

export function enableMenu(): void {
  const menu = byId("menu", HTMLElement);
  const main = byId("main", HTMLElement);
  const filter = byId("filter", HTMLInputElement);
  const title = document.title;
  filter.closest<HTMLElement>(".field")?.removeAttribute("hidden");
  filter.addEventListener("input", () => narrow(menu, filter.value));
  menu.addEventListener("click", ({ target }) => {
    // Only an open popover can be hidden. On a wide screen, the menu is always visible.
    if (target instanceof Element && target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
  });
  // Don't follow the link `#main`, because it would show the introduction instead of the current view.
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });

  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const view = target?.closest(".view") ?? byId("introduction", HTMLElement);
    const name = view.id.startsWith("schema-") ? "schemas" : view.id;
    for (const link of menu.querySelectorAll(":scope > ul > li > a"))
      mark(link, link.getAttribute("href") === `#${name}`, "page");
    markOperation(target?.closest(".operation")?.id);
    document.title = `${view.querySelector("h2")?.textContent} · ${title}`;
    narrow(menu, filter.value);
  };
  const markOperation = (id: string | undefined) => {
    for (const link of menu.querySelectorAll("[data-words] > a"))
      mark(link, link.getAttribute("href") === `#${id}`, "true");
  };
  addEventListener("hashchange", follow);
  follow();

  const observer = new IntersectionObserver(
    (entries) => {
      const read = entries.find(({ isIntersecting }) => isIntersecting);
      if (read) markOperation(read.target.id);
    },
    // The operation at 25% of the window's height is the current operation.
    { rootMargin: "-25% 0px -75% 0px" },
  );
  for (const operation of main.querySelectorAll(".operation[id]")) observer.observe(operation);
}

function mark(link: Element, isCurrent: boolean, value: string): void {
  if (isCurrent) link.setAttribute("aria-current", value);
  else link.removeAttribute("aria-current");
}

function narrow(menu: HTMLElement, text: string): void {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  for (const item of menu.querySelectorAll<HTMLElement>("[data-words]"))
    item.hidden = !words.every((word) => item.dataset["words"]?.includes(word));
  for (const group of menu.querySelectorAll<HTMLElement>(":scope > ul > li")) {
    const list = group.querySelector("ul");
    const isCurrent = group.querySelector(":scope > [aria-current]") !== null;
    group.hidden = words.length > 0 && group.querySelector("[data-words]:not([hidden])") === null;
    if (list) list.hidden = words.length === 0 && !isCurrent;
  }
}
