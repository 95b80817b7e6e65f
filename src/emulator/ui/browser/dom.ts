/** Elements are made here and nowhere else: whatever comes from the API ends in a text node or an attribute's text. */

type Child = Node | string | number | null | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * An element. Attributes that are false or undefined are left out, those that are true stand without a value.
 * `h("a", { href: "#rules" }, "Rules")`
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) =>
    child === null || child === undefined ? [] : [child instanceof Node ? child : String(child)],
  );
}

/** Replaces what is in an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...nodes(children));
}

/** A button that does something. Nothing about it is a form's. */
export function button(
  label: string,
  act: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", act);
  return element;
}

/** A control with its label before it. */
export function labelled(label: string, control: HTMLElement, hint?: string): HTMLElement {
  if (hint !== undefined) {
    const id = `${control.id}-hint`;
    control.setAttribute("aria-describedby", id);
    return h(
      "div",
      { class: "field" },
      h("label", { for: control.id }, label),
      control,
      h("small", { id }, hint),
    );
  }
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

/** A switch with its label after it. */
export function checkbox(id: string, label: string, changed: (on: boolean) => void, on = false): HTMLElement {
  const input = h("input", { type: "checkbox", id, checked: on });
  input.addEventListener("change", () => changed(input.checked));
  return h("div", { class: "check" }, input, h("label", { for: id }, label));
}

/** A column's head: `number` stands over numbers, `hidden` is for who listens. */
interface Column {
  name: string;
  as: "number" | "hidden";
}

/** A table whose head says what its columns are; wide ones scroll by themselves, with the keyboard, too. */
export function table(
  caption: string,
  columns: readonly (string | Column)[],
  body: HTMLTableSectionElement,
): HTMLElement {
  const heads = columns.map((column) => {
    if (typeof column === "string") return h("th", { scope: "col" }, column);
    if (column.as === "number") return h("th", { scope: "col", class: "number" }, column.name);
    return h("th", { scope: "col" }, h("span", { class: "hidden" }, column.name));
  });
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 },
    h("table", {}, h("caption", { class: "hidden" }, caption), h("thead", {}, h("tr", {}, ...heads)), body),
  );
}

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}
