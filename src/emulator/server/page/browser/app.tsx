import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { createApi } from "./api.js";
import { Calls } from "./calls/calls.js";
import { AppContext, type Consent, type Question, type App as Surroundings } from "./context.js";
import { createControl } from "./control.js";
import { EmulatorView } from "./emulator/emulator-view.js";
import { Faults } from "./faults.js";
import { Limits } from "./limits.js";
import { getMessage } from "./live.js";
import { Overview } from "./overview/overview.js";
import { Confirm } from "./parts/confirm.js";
import { createPulse } from "./pulse.js";
import { Raw } from "./raw.js";
import { Requests } from "./requests/requests.js";
import { Resources } from "./resources/resources.js";
import { parseRoute } from "./route.js";
import { createRulebook } from "./rulebook.js";
import { Rules } from "./rules.js";
import { Frame } from "./shell.js";

const tabs = [
  { name: "overview", title: "Overview", view: Overview },
  { name: "calls", title: "Calls", view: Calls },
  { name: "resources", title: "Resources", view: Resources },
  { name: "requests", title: "Requests", view: Requests },
  { name: "emulator", title: "Emulator", view: EmulatorView, isApart: true },
  { name: "faults", title: "Faults", view: Faults },
  { name: "limits", title: "Limits", view: Limits },
  { name: "rules", title: "Rules", view: Rules, isApart: true },
  { name: "raw", title: "Raw", view: Raw },
] as const;

/** Limited, because a notification covers the bottom of the page. */
const newsMilliseconds = 10_000;

interface PendingQuestion extends Question {
  reply(consent: Consent | undefined): void;
}

export function App() {
  const [route, setRoute] = useState(parseRoute(location.hash));
  const [news, setNews] = useState("");
  const [trouble, setTrouble] = useState("");
  const [pendingQuestion, setPendingQuestion] = useState<PendingQuestion | undefined>(undefined);
  const [generation, setGeneration] = useState(0);

  const parts = useMemo(() => {
    let emulatorId = "";
    const control = createControl((id) => {
      if (emulatorId !== "" && id !== emulatorId) {
        setNews("The emulator was reset or restored.");
        void api.readKeys().catch(() => {});
        setGeneration((before) => before + 1);
      }
      emulatorId = id;
    });
    const api = createApi(control);
    const pulse = createPulse(control, (error) => setTrouble(error === undefined ? "" : getMessage(error)));
    const attempt = async (work: () => Promise<void>) => {
      try {
        await work();
        setTrouble("");
        return true;
      } catch (error) {
        setTrouble(getMessage(error));
        return false;
      }
    };
    const confirm = (question: Question) =>
      new Promise<Consent | undefined>((resolve) => {
        const posed: PendingQuestion = {
          ...question,
          reply(consent) {
            // Browsers can report twice that a dialog was closed. By the second report, the next dialog might
            // be open.
            setPendingQuestion((now) => (now === posed ? undefined : now));
            resolve(consent);
          },
        };
        setPendingQuestion(posed);
      });
    return {
      control,
      api,
      pulse,
      attempt,
      confirm,
      allowed: new Set<string>(),
      rulebook: createRulebook(control),
      notify: setNews,
    };
  }, []);
  const app = useMemo<Surroundings>(() => ({ ...parts, route }), [parts, route]);

  // Listen before the page is shown, so that the first click on a link is not missed.
  useLayoutEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  useEffect(() => {
    if (news === "") return;
    const gone = setTimeout(() => setNews(""), newsMilliseconds);
    return () => clearTimeout(gone);
  }, [news]);

  const tab = tabs.find(({ name }) => name === route.tab) ?? tabs[0];
  const currentPath = [tab.name, ...route.path].join("/");
  const former = useRef(currentPath);
  useEffect(() => {
    document.title = `${tab.title} · Emulator`;
    document.getElementById("menu")?.hidePopover();
    if (former.current === currentPath) return;
    former.current = currentPath;
    setTrouble("");
    // Screen readers announce a new view only if it gets the focus.
    document.querySelector<HTMLElement>("main h2")?.focus();
    scrollTo(0, 0);
  }, [currentPath, tab]);

  const View = tab.view;
  return (
    <AppContext.Provider value={app}>
      <Frame tabs={tabs} current={tab.name} news={news} trouble={trouble} docs="/api/v1/docs?emulator-keys">
        {/* If the emulator state was replaced, render everything again. */}
        <View key={generation} />
      </Frame>
      {pendingQuestion ? (
        <Confirm key={pendingQuestion.title} question={pendingQuestion} reply={pendingQuestion.reply} />
      ) : null}
    </AppContext.Provider>
  );
}
