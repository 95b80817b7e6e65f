import { useApp } from "../context.js";
import { Scheduled } from "../overview/scheduled.js";
import { Heading } from "../parts/basics.js";
import { Ways } from "../parts/ways.js";
import { Clock } from "./clock.js";
import { Keys } from "./keys.js";
import { Organizations } from "./organizations.js";
import { Reset } from "./reset.js";
import { Snapshots } from "./snapshots.js";

const ways = [
  { name: "clock", title: "Clock" },
  { name: "snapshots", title: "Snapshots" },
  { name: "keys", title: "Keys" },
  { name: "organizations", title: "Organizations" },
] as const;

export function EmulatorView() {
  const { route } = useApp();
  const [current = "clock"] = route.path;
  return (
    <section aria-labelledby="emulator-heading">
      <div class="head row">
        <Heading id="emulator-heading">Emulator</Heading>
      </div>
      <Ways label="In Emulator" tab="emulator" of={ways} current={current} />
      {current === "snapshots" ? (
        <>
          <Snapshots />
          <Reset />
        </>
      ) : current === "keys" ? (
        <Keys />
      ) : current === "organizations" ? (
        <Organizations />
      ) : (
        <>
          <Clock />
          <Scheduled />
        </>
      )}
    </section>
  );
}
