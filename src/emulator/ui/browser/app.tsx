import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createApi } from "./api.js";
import { Calls } from "./calls/calls.js";
import { AppContext, type Consent, type Question, type App as Surroundings } from "./context.js";
import { createControl } from "./control.js";
import { Faults } from "./faults.js";
import { Limits } from "./limits.js";
import { messageOf } from "./live.js";
import { Confirm } from "./parts/confirm.js";
import { createPulse } from "./pulse.js";
import { Raw } from "./raw.js";
import { Requests } from "./requests/requests.js";
import { Resources } from "./resources/resources.js";
import { routeOf } from "./route.js";
import { createRulebook } from "./rulebook.js";
import { Rules } from "./rules.js";
import { Frame } from "./shell.js";
import { World } from "./world/world.js";

const tabs = [
  { name: "calls", title: "Calls", view: Calls },
  { name: "resources", title: "Resources", view: Resources },
  { name: "requests", title: "Requests", view: Requests },
  { name: "world", title: "World", view: World },
  { name: "faults", title: "Faults", view: Faults },
  { name: "limits", title: "Limits", view: Limits },
  { name: "rules", title: "Rules", view: Rules },
  { name: "raw", title: "Raw", view: Raw },
] as const;

/** So long what was said stands there: it covers the page's end. */
const newsMilliseconds = 10_000;

interface Asked extends Question {
  answer(consent: Consent | undefined): void;
}

/** The page: its tabs, what it says, and what it asks. */
export function App() {
  const [route, setRoute] = useState(routeOf(location.hash));
  const [news, setNews] = useState("");
  const [trouble, setTrouble] = useState("");
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [generation, setGeneration] = useState(0);

  const parts = useMemo(() => {
    let worldId = "";
    const control = createControl((id) => {
      if (worldId !== "" && id !== worldId) {
        setNews("The world was reset or restored.");
        void api.readKeys().catch(() => {});
        setGeneration((before) => before + 1);
      }
      worldId = id;
    });
    const api = createApi(control);
    const pulse = createPulse(control, (error) => setTrouble(error === undefined ? "" : messageOf(error)));
    const attempt = async (work: () => Promise<void>) => {
      try {
        await work();
        setTrouble("");
        return true;
      } catch (error) {
        setTrouble(messageOf(error));
        return false;
      }
    };
    const confirm = (question: Question) =>
      new Promise<Consent | undefined>((resolve) => {
        const posed: Asked = {
          ...question,
          answer(consent) {
            // A browser may tell twice that a question was closed: another one may stand there by then.
            setAsked((now) => (now === posed ? undefined : now));
            resolve(consent);
          },
        };
        setAsked(posed);
      });
    return {
      control,
      api,
      pulse,
      attempt,
      confirm,
      allowed: new Set<string>(),
      rulebook: createRulebook(control),
      tell: setNews,
    };
  }, []);
  const app = useMemo<Surroundings>(() => ({ ...parts, route }), [parts, route]);

  useEffect(() => {
    const follow = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  useEffect(() => {
    if (news === "") return;
    const gone = setTimeout(() => setNews(""), newsMilliseconds);
    return () => clearTimeout(gone);
  }, [news]);

  const tab = tabs.find(({ name }) => name === route.tab) ?? tabs[0];
  const place = [tab.name, ...route.path].join("/");
  const former = useRef(place);
  useEffect(() => {
    document.title = `${tab.title} · Emulator`;
    showCurrentTab();
    if (former.current === place) return;
    former.current = place;
    setTrouble("");
    // Those who listen hear where they are; at the start the page itself is read.
    document.querySelector<HTMLElement>("main h2")?.focus();
    scrollTo(0, 0);
  }, [place, tab]);

  const View = tab.view;
  return (
    <AppContext.Provider value={app}>
      <Frame tabs={tabs} current={tab.name} news={news} trouble={trouble} docs="/api/v1/docs?world-keys">
        {/* Another world: nothing of the former one stays. */}
        <View key={generation} />
      </Frame>
      {asked ? <Confirm key={asked.title} question={asked} answer={asked.answer} /> : null}
    </AppContext.Provider>
  );
}

/** Scrolls the list of tabs itself: an element that was scrolled into view is where the Tab key goes on from. */
function showCurrentTab(): void {
  const list = document.querySelector(".tabs ul");
  const current = document.querySelector(".tabs [aria-current]");
  if (!list || !current) return;
  const [around, own] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  list.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2);
}
