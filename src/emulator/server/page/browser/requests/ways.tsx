import { Heading } from "../parts/basics.js";
import { Ways } from "../parts/ways.js";
import { formatHref } from "../route.js";

const ways = [
  { name: "log", title: "Log" },
  { name: "errors", title: "Errors" },
  { name: "webhooks", title: "Webhooks" },
] as const;

export function RequestWays({ current }: { current: (typeof ways)[number]["name"] | "new" }) {
  return (
    <>
      <div class="head row">
        <Heading id="requests-heading">Requests</Heading>
        <a class="button primary" href={formatHref("requests", ["new"])}>
          Send a request
        </a>
      </div>
      <Ways label="In Requests" tab="requests" of={ways} current={current} />
    </>
  );
}
