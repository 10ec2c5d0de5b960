// `npm run account:reopen -- <email>`: restores a closed account to its owner within the retention period.
import { closedAccountKeptDays } from '../contract/account/account.limits.ts'
import { openOperatorDatabase } from '../server/open-database.ts'
import { StartError } from '../server/settings.ts'
import { reopenAccount } from '../server/store/accounts/reopen-account.ts'
import { runCommand } from './run-command.ts'

await runCommand([], async ({ settings, log, args, print }) => {
  const [address, ...more] = args
  if (address === undefined || more.length > 0) {
    throw new StartError('Give one address: npm run account:reopen -- ann@example.com')
  }
  await using attached = await openOperatorDatabase(settings, log)
  const outcome = await reopenAccount(attached.database.pool, address)
  if (outcome === 'taken') {
    throw new StartError('An open account has this address. Close it first to restore the closed one.')
  }
  if (outcome === 'unknown') {
    throw new StartError(
      `No account with this address was closed within the last ${closedAccountKeptDays} days; older ones are deleted.`,
    )
  }
  print('The account is open again, with its password and templates.')
  print('Its mailboxes must be connected again and get new secret keys; cancelled mail stays cancelled.')
})
