import { besideFigures } from './events/beside.ts'
import { digestFigures } from './events/digest.ts'
import { doorFigures } from './events/door.ts'
import { liveFigures } from './events/live.ts'
import { millionFigures } from './events/million.ts'
import { monthCount } from './events/month.ts'
import { outageFigures } from './events/outage.ts'
import { sendingFigures } from './events/sending.ts'
import type { Bench } from './report.ts'

/** Opens and clicks from the request to the counts. */
export const eventsBench: Bench = {
  name: 'events',
  title: 'Tracking: 60,000 hits of 2,000 mails with 100 callers; digest of 100,000 events',
  run: async () => [...(await doorFigures()), ...(await digestFigures())],
}

/** What tracking costs the send engine. */
export const eventsSendingBench: Bench = {
  name: 'events-sending',
  partOf: 'events',
  title: 'Sending with tracking and without, medians of five times 20,000 mails of 10 kB HTML each',
  run: sendingFigures,
}

/** Opens and clicks while mails leave. */
export const eventsBesideBench: Bench = {
  name: 'events-beside',
  partOf: 'events',
  title: 'Hits of 100 callers at 5,000/s beside sending, with both cores shared by all',
  run: besideFigures,
}

/** How soon the open report shows an event. */
export const eventsLiveBench: Bench = {
  name: 'events-live',
  partOf: 'events',
  title: 'From a hit to the open report, with hits of 100 callers at 2,000/s',
  run: liveFigures,
}

/** Links while the database is down; runs only if it or `events` is named. */
export const eventsOutageBench: Bench = {
  name: 'events-outage',
  partOf: 'events',
  title: 'Clicks of 100 callers while PostgreSQL is stopped for 60 s, and the hits after its return',
  isLong: true,
  run: outageFigures,
}

/** Reports of large campaigns; runs only if it or `events` is named. */
export const eventsMillionBench: Bench = {
  name: 'events-million',
  partOf: 'events',
  title: `Report and recipients of a campaign with a million mails, the slowest of 20, beside ${monthCount} events (EVENTS=…)`,
  isLong: true,
  run: millionFigures,
}
