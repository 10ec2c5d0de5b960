// `npm run events:repeat`: digests the events again that were set aside after a failure.
import { openOperatorDatabase } from '../server/open-database.ts'
import { repeatParked } from '../server/store/events/parked.ts'
import { runCommand } from './run-command.ts'
import { authorizeAll } from '../server/domain/auth/authorize.ts'

const operator = authorizeAll({ kind: 'operator', command: 'events:repeat' })

await runCommand([], async ({ settings, log, print }) => {
  await using attached = await openOperatorDatabase(settings, log)
  print(
    `${await repeatParked(operator, attached.database.pool)} events are repeated as soon as a server or worker runs.`,
  )
})
