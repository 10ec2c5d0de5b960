// `npm run account:reopen -- <email>`: gives a closed account back to who had it, while it is kept.
import { closedAccountKeptDays } from '../contract/core/limits.ts'
import { attachDatabase } from '../server/open-database.ts'
import { StartError } from '../server/settings.ts'
import { reopenAccount } from '../server/store/accounts/reopen-account.ts'
import { operate } from './run-command.ts'

await operate([], async ({ settings, log, words, say }) => {
  const [address, ...more] = words
  if (address === undefined || more.length > 0) {
    throw new StartError('Name one address: npm run account:reopen -- ann@example.com')
  }
  await using attached = await attachDatabase(settings, log)
  const outcome = await reopenAccount(attached.database.pool, address, closedAccountKeptDays)
  if (outcome === 'taken') {
    throw new StartError('An open account has this address. Close that one first, if it is not wanted.')
  }
  if (outcome === 'unknown') {
    throw new StartError(
      `No account with this address was closed within the last ${closedAccountKeptDays} days; after that nothing of it is left.`,
    )
  }
  say('The account is open again, with its password and templates.')
  say('Its mailboxes have to be connected anew, and they get new secret keys; what was cancelled stays cancelled.')
})
