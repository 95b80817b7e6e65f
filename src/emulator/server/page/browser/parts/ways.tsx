import { formatHref } from "../route.js";

export function Ways(props: {
  label: string;
  tab: string;
  of: readonly { name: string; title: string }[];
  current: string;
}) {
  const [first] = props.of;
  return (
    <nav aria-label={props.label} class="tabs">
      {props.of.map(({ name, title }) => (
        <a
          key={name}
          href={formatHref(props.tab, name === first?.name ? [] : [name])}
          aria-current={name === props.current ? "true" : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
