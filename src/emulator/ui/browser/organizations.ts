import { button, fill, h } from "./dom.js";
import { counted } from "./format.js";
import { type Row, rowsOf, text } from "./rows.js";
import type { Surroundings, View } from "./view.js";

/** Distributors with their MSPs and customers, and the organizations without a distributor. */
export function createOrganizations({ control, attempt }: Surroundings): View {
  const tree = h("div", { class: "tree" });
  /** Open nodes stay open when the tree is read anew; the uppermost begin open. */
  const open = new Map<string, boolean>();

  function branch(id: string, summary: (Node | string)[], children: Node[], isTop: boolean): HTMLElement {
    const element = h("details", {}, h("summary", {}, ...summary), ...children);
    element.open = open.get(id) ?? isTop;
    element.addEventListener("toggle", () => open.set(id, element.open));
    return h("li", {}, element);
  }

  function organization(
    row: Row,
    below: readonly Row[],
    childrenOf: (row: Row) => readonly Row[],
    first: string,
  ) {
    const id = text(row, "id");
    const type = text(row, "type");
    const features = row["features"];
    const facts: [string, string][] = [
      ["Id", id],
      ["Features", Array.isArray(features) && features.length > 0 ? features.join(", ") : "none"],
      ["Numbers left", text(row, "number_pool")],
    ];
    const kind = type === "msp" ? "MSP" : type === "customer" ? "customer" : "organization";
    const list =
      below.length > 0 &&
      h("ul", {}, ...below.map((one): HTMLElement => organization(one, childrenOf(one), childrenOf, first)));
    return branch(
      id,
      [
        text(row, "name"),
        ...asides(
          kind,
          id === first && "the first, whose keys the start printed",
          below.length > 0 && counted(below.length, "customer"),
        ),
        ...(text(row, "status") === "active"
          ? []
          : [", ", h("span", { class: "status s4" }, text(row, "status"))]),
      ],
      [
        h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
        ...(list ? [list] : []),
      ],
      false,
    );
  }

  async function refresh(): Promise<void> {
    const [organizations, distributors] = (
      await Promise.all([control.get("/organizations"), control.get("/distributors")])
    ).map(rowsOf);
    const all = organizations ?? [];
    // The control interface, too, means the lowest id by the first.
    const first = text(all[0] ?? {}, "id");
    const children = new Map<string, Row[]>();
    for (const row of all) {
      const parent = text(row, "parent_id");
      children.set(parent, [...(children.get(parent) ?? []), row]);
    }
    const childrenOf = (row: Row) => children.get(text(row, "id")) ?? [];
    const item = (row: Row) => organization(row, childrenOf(row), childrenOf, first);
    const tops = children.get("") ?? [];
    const alone = tops.filter((row) => text(row, "distributor_id") === "");
    const branches = (distributors ?? []).map((distributor) => {
      const id = text(distributor, "id");
      const own = tops.filter((row) => text(row, "distributor_id") === id);
      const msps = own.filter((row) => text(row, "type") === "msp").length;
      return branch(
        id,
        [text(distributor, "name"), ...asides("distributor", counted(msps, "MSP"))],
        [h("dl", {}, h("dt", {}, "Id"), h("dd", {}, id)), h("ul", {}, ...own.map(item))],
        true,
      );
    });
    fill(
      tree,
      h("h3", {}, "Distributors"),
      branches.length > 0 ? h("ul", {}, ...branches) : h("p", { class: "empty" }, "None."),
      ...(alone.length > 0
        ? [h("h3", {}, "Organizations without a distributor"), h("ul", {}, ...alone.map(item))]
        : []),
    );
  }

  const element = h(
    "section",
    { "aria-labelledby": "organizations-heading" },
    h("h2", { id: "organizations-heading", tabindex: -1 }, "Organizations"),
    h(
      "div",
      { class: "tools" },
      button("Read again", () => attempt(refresh)),
    ),
    tree,
  );
  return { name: "organizations", element, live: false, refresh };
}

/** The text after something's name. */
function asides(...said: (string | false)[]): HTMLElement[] {
  return said.flatMap((one) => (one === false ? [] : [h("span", { class: "kind" }, `, ${one}`)]));
}
