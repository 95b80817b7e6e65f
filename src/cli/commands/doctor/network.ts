import { messageOf } from "../../../base/error-code.js";
import { readAuthorities } from "../../../client/authorities.js";
import { findProxy } from "../../../client/proxy.js";
import { apiNames } from "../../profiles/store.js";
import type { Connection, Session } from "../../session/session.js";

interface NetworkFinding {
  check: string;
  state: "ok" | "warning";
  message: string;
  details?: Readonly<Record<string, unknown>>[];
}

export function checkNetwork({ profile, baseUrl }: Connection, { io }: Session): NetworkFinding[] {
  if (profile.type === "offline") return [];
  return [checkProxy(baseUrl, io.env), checkCertificates(profile.caFile, io.env)];
}

type Env = Session["io"]["env"];

function checkProxy(baseUrl: Connection["baseUrl"], env: Env): NetworkFinding {
  const details: { host: string; proxy: string | null }[] = [];
  for (const api of apiNames) {
    const address = baseUrl(api);
    if (address === undefined) continue;
    const url = new URL(address);
    if (details.some(({ host }) => host === url.host)) continue;
    try {
      details.push({ host: url.host, proxy: findProxy(url, env)?.name ?? null });
    } catch (error) {
      const message = messageOf(error);
      return { check: "proxy", state: "warning", message };
    }
  }
  const used = details.filter(({ proxy }) => proxy !== null);
  const message =
    used.length === 0
      ? "none (direct connection)"
      : used.map(({ host, proxy }) => `${host} through ${proxy}`).join(", ");
  return { check: "proxy", state: "ok", message, details };
}

function checkCertificates(caFile: string | undefined, env: Env): NetworkFinding {
  const check = "certificates";
  const trusted = [
    usesSystemStore(env)
      ? "the system's and Node.js's certificate authorities"
      : "Node.js's certificate authorities",
  ];
  const extra = env.NODE_EXTRA_CA_CERTS ?? "";
  for (const [path, source] of [
    [extra, "NODE_EXTRA_CA_CERTS"],
    [env.SSL_CERT_FILE ?? "", "SSL_CERT_FILE"],
    [caFile ?? "", "the profile's ca_file"],
  ] as const) {
    if (path === "") continue;
    const file = readAuthorities(path);
    if ("problem" in file)
      return { check, state: "warning", message: `${path} (${source}) can't be used: ${file.problem}` };
    trusted.push(`${file.count} from ${path} (${source})`);
  }
  const message = `trusted: ${trusted.join(", ")}`;
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0")
    return {
      check,
      state: "warning",
      message: `NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked; ${message}`,
    };
  return { check, state: "ok", message };
}

function usesSystemStore(env: Env): boolean {
  const hasOption = /(?:^|\s)--use-system-ca(?:\s|$)/.test(env.NODE_OPTIONS ?? "");
  const known = process.allowedNodeEnvironmentFlags.has("--use-system-ca");
  return (
    known && (hasOption || env.NODE_USE_SYSTEM_CA === "1" || process.execArgv.includes("--use-system-ca"))
  );
}
