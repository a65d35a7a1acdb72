// Calendars: their events, and whether their addresses can be read; made with the command line.
import { useEffect } from "preact/hooks";
import type { CalendarView } from "../../../api/calendars/index.ts";
import { ProblemNote } from "../../parts/notes.tsx";
import { texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { request } from "../../state/session.ts";

const calendars = createResource((signal) => request<readonly CalendarView[]>("/calendars", { signal }));

export function Calendars() {
  useEffect(() => void calendars.refresh(), []);
  const { calendars: title, noCalendars } = texts.value.serverCard;
  const { value, problem } = calendars.loaded.value;
  return (
    <section class="card" aria-labelledby="calendars">
      <h2 id="calendars">{title}</h2>
      {problem && <ProblemNote problem={problem} again={() => void calendars.refresh()} />}
      {value?.length === 0 && <p class="quiet">{noCalendars}</p>}
      {value?.map((calendar) => (
        <Calendar key={calendar.name} calendar={calendar} />
      ))}
    </section>
  );
}

function Calendar({ calendar }: { calendar: CalendarView }) {
  const {
    name,
    url,
    events,
    next_events,
    last_error,
    last_error_code: code,
    skipped = [],
    skipped_events = 0,
  } = calendar;
  const { withEvents, calendarProblem, eventLeftOut, moreLeftOut } = texts.value.serverCard;
  return (
    <details>
      <summary>
        {name} <span class="quiet">{[withEvents(events), url].filter(Boolean).join(", ")}</span>
      </summary>
      {last_error !== undefined && <p class="bad">{calendarProblem(code, last_error)}</p>}
      {skipped.map(({ event, summary, reason }) => (
        <p key={event} class="bad">
          {eventLeftOut(event, summary, reason)}
        </p>
      ))}
      {skipped_events > skipped.length && <p class="bad">{moreLeftOut(skipped_events - skipped.length)}</p>}
      <ul>
        {next_events.map(({ summary, start_date, end_date }) => (
          <li key={`${start_date}${summary}`}>
            {summary} <span class="quiet">{`${start_date} – ${end_date}`}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
