import { availableParallelism, totalmem } from 'node:os'
import { acceptBench } from './accept.ts'
import { audienceSegmentsBench } from './audience-segments.ts'
import { audienceBench, audienceKillsBench } from './audience.ts'
import { audienceFillBench, audienceFillKillsBench } from './audience/fill.ts'
import { audienceScreenBench } from './audience/screen.ts'
import { backupBench } from './backup.ts'
import { composeBench } from './compose.ts'
import { composerBench } from './composer.ts'
import { embedBench } from './embed.ts'
import {
  eventsBench,
  eventsBesideBench,
  eventsLiveBench,
  eventsMillionBench,
  eventsOutageBench,
  eventsSendingBench,
} from './events.ts'
import { hostedBench } from './hosted.ts'
import { inboxAccuracyBench, inboxBench, inboxHostileBench } from './inbox.ts'
import { landingBench } from './landing.ts'
import { engineBench, millionBench } from './engine/engine.ts'
import { packagesBench } from './packages.ts'
import { postgresBench } from './postgres.ts'
import { report, type Bench } from './report.ts'
import { signInBench } from './sign-in.ts'
import { startBench } from './start.ts'
import { statisticsBench } from './statistics.ts'
import { templatesBench } from './templates.ts'

// `npm run bench [-- name … --json]`: every bench, or those named. The results apply to the machine that they name. `--list`:
// only the names. `npm run bench -- compare`: see compare/main.ts.

const benches: readonly Bench[] = [
  startBench,
  postgresBench,
  acceptBench,
  engineBench,
  millionBench,
  statisticsBench,
  backupBench,
  signInBench,
  hostedBench,
  landingBench,
  embedBench,
  templatesBench,
  composeBench,
  packagesBench,
  audienceBench,
  audienceKillsBench,
  audienceFillBench,
  audienceFillKillsBench,
  audienceScreenBench,
  audienceSegmentsBench,
  composerBench,
  inboxBench,
  inboxAccuracyBench,
  inboxHostileBench,
  eventsBench,
  eventsSendingBench,
  eventsBesideBench,
  eventsLiveBench,
  eventsOutageBench,
  eventsMillionBench,
]

const words = process.argv.slice(2)
if (words.includes('--list')) {
  for (const { name } of benches) console.log(name)
  process.exit(0)
}
const isJson = words.includes('--json')
const wanted = words.filter((word) => !word.startsWith('--'))
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0) {
  console.error(`No bench is named ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

if (!isJson)
  console.log(`${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`)
for (const bench of benches) {
  const { name, partOf = name, isLong = false } = bench
  if (wanted.includes(name) || wanted.includes(partOf) || (wanted.length === 0 && !isLong))
    report(bench, await bench.run(), isJson)
}
process.exit(0)
