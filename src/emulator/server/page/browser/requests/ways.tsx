import { Heading } from "../parts/basics.js";
import { formatHref } from "../route.js";

const ways = [
  { name: "log", title: "Log", path: [] },
  { name: "errors", title: "Errors", path: ["errors"] },
  { name: "webhooks", title: "Webhooks", path: ["webhooks"] },
  { name: "new", title: "Send a request", path: ["new"] },
] as const;

/** The heading of the "Requests" tab, with links to its views. */
export function Ways({ current }: { current: (typeof ways)[number]["name"] }) {
  return (
    <>
      <Heading id="requests-heading">Requests</Heading>
      <nav aria-label="Requests" class="ways">
        {ways.map(({ name, title, path }) => (
          <a
            key={name}
            href={formatHref("requests", path)}
            aria-current={name === current ? "true" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
    </>
  );
}
