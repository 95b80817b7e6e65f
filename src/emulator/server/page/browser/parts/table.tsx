import type { ComponentChildren } from "preact";
import { formatHref } from "../route.js";

/**
 * A table column. `number`: the heading is aligned like the numbers below it. `hidden`: the heading is only
 * for screen readers. `extra`: a narrow window omits the column.
 */
export interface Column {
  name: string;
  as?: "number" | "hidden" | "wide" | "extra" | "number extra";
}

export function Table(props: {
  caption: string;
  columns: readonly (string | Column)[];
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable with the keyboard
    <section class="scroll" aria-label={props.caption} tabIndex={0}>
      <table>
        <caption class="hidden">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => {
              const head = typeof column === "string" ? { name: column } : column;
              return (
                <th key={head.name} scope="col" class={head.as === "hidden" ? undefined : head.as}>
                  {head.as === "hidden" ? <span class="hidden">{head.name}</span> : head.name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  );
}

export function Pages(props: {
  tab: string;
  path: readonly string[];
  query: Readonly<Record<string, string | undefined>>;
  last: string | undefined;
}) {
  const { before, ...remaining } = props.query;
  if (before === undefined && props.last === undefined) return null;
  return (
    <nav class="row" aria-label="Pages">
      {before === undefined ? null : (
        <a class="button" href={formatHref(props.tab, props.path, remaining)}>
          Newest
        </a>
      )}
      {props.last === undefined ? null : (
        <a class="button" href={formatHref(props.tab, props.path, { ...remaining, before: props.last })}>
          Older
        </a>
      )}
    </nav>
  );
}
