import type { ComponentChildren } from "preact";
import { useApp } from "../context.js";
import { useLive, useNews } from "../live.js";
import { Heading } from "../parts/basics.js";
import { formatHref } from "../route.js";
import { rowsOf } from "../rows.js";
import { Scheduled } from "./scheduled.js";
import { Timeline } from "./timeline.js";

export function Overview() {
  const { control } = useApp();
  const { callsUnderWay, faults, lastRequest } = useNews();
  const errors = useLive(async () => rowsOf(await control.get("/request-errors?page=false")), [lastRequest], {
    live: false,
  });
  const refused = errors.data?.reduce((sum, row) => sum + Number(row["count"]), 0);
  return (
    <section aria-labelledby="overview-heading">
      <div class="head row">
        <Heading id="overview-heading">Overview</Heading>
        <a class="button primary" href={formatHref("calls", [], { simulate: "1" })}>
          Simulate an incoming call
        </a>
      </div>
      <ul class="grid tiles">
        <Tile href="#calls" title="Calls in progress">
          {callsUnderWay}
        </Tile>
        <Tile href="#requests" title="Requests logged">
          {lastRequest}
        </Tile>
        <Tile href="#requests/errors" title="Refused requests">
          <span class={refused !== undefined && refused > 0 ? "bad" : undefined}>{refused ?? "…"}</span>
        </Tile>
        <Tile href="#faults" title="Active faults">
          <span class={faults > 0 ? "bad" : undefined}>{faults}</span>
        </Tile>
      </ul>
      <Timeline />
      <Scheduled />
    </section>
  );
}

function Tile({ href, title, children }: { href: string; title: string; children: ComponentChildren }) {
  return (
    <li>
      <a href={href} class="card field">
        <span class="faint">{title}</span>
        <strong>{children}</strong>
      </a>
    </li>
  );
}
