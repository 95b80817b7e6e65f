import { useState } from "preact/hooks";
import { useApp } from "../context.js";
import { indentJson } from "../format.js";
import { useLive } from "../live.js";
import { Box, Button, Copy, Facts, Heading, Nothing, Status, Time } from "../parts/basics.js";
import { Headers } from "../parts/exchange.js";
import { Rule } from "../parts/rule.js";
import { formatHref } from "../route.js";
import { number, type Row, rowOf, rowsOf, text } from "../rows.js";
import { formatCurl, formatVoxctl, isIncomplete } from "./commands.js";
import { Sender } from "./sender.js";

export function Request({ id }: { id: string }) {
  const { control, api } = useApp();
  const [replaying, setReplaying] = useState(false);
  const { data, error } = useLive(
    async () => rowOf(await control.get(`/requests/${encodeURIComponent(id)}`)),
    [id],
    { live: false },
  );
  const key = api.keys().find((candidate) => candidate.id === text(data ?? {}, "key_id"));
  const command = data && formatVoxctl(data);
  const copied =
    data && isIncomplete(text(data, "path"), text(data, "request_body"))
      ? "Copied. The command is incomplete, because the log masks secrets and truncates long bodies."
      : undefined;
  return (
    <article aria-labelledby="request-heading">
      <a class="faint" href="#requests">
        ← All requests
      </a>
      <div class="head row">
        <Heading id="request-heading">
          {data ? `${text(data, "method")} ${text(data, "path")}` : `Request ${id}`}
        </Heading>
        {data ? (
          <>
            <Status status={number(data, "status")} />
            <Copy text={formatCurl(data, location.origin)} news={copied}>
              Copy as curl
            </Copy>
            {command === undefined ? null : (
              <Copy text={command} news={copied}>
                Copy as voxctl
              </Copy>
            )}
            <Copy text={location.href}>Copy link</Copy>
            <Button variant="primary" act={async () => setReplaying(!replaying)}>
              {replaying ? "Don't replay" : "Replay…"}
            </Button>
          </>
        ) : null}
      </div>
      {data ? (
        <>
          {replaying ? <Sender row={data} title="Replay" /> : null}
          <Facts
            of={[
              ["Time", <Time key="time" iso={text(data, "at")} />],
              ["Duration", `${number(data, "duration_ms").toFixed(1)} ms`],
              ["Key", key ? `${key.name} (${key.kind})` : text(data, "key_id") || "none"],
              ["Code", text(data, "code")],
              ["Applied faults", <Faults key="faults" row={data} />],
            ]}
          />
          <Rule id={text(data, "rule")} />
          <div class="halves">
            <Side
              title="Request"
              headers={rowOf(data["request_headers"])}
              body={text(data, "request_body")}
            />
            <Side
              title="Response"
              headers={rowOf(data["response_headers"])}
              body={text(data, "response_body")}
            />
          </div>
        </>
      ) : (
        <Nothing error={error} reading />
      )}
    </article>
  );
}

function Faults({ row }: { row: Row }) {
  const faults = rowsOf(row["faults"]);
  if (faults.length === 0) return <>none</>;
  return (
    <span class="links row">
      {faults.map((fault) => (
        <a key={text(fault, "id")} href={formatHref("faults")}>
          {text(fault, "kind")} <code>{text(fault, "id")}</code>
        </a>
      ))}
    </span>
  );
}

function Side({ title, headers, body }: { title: string; headers: Row; body: string }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <Headers of={headers} label="Headers" open />
      {body === "" ? <p class="faint">No body.</p> : <Box label={`${title} body`}>{indentJson(body)}</Box>}
    </section>
  );
}
