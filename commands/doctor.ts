// `npm run doctor [-- you@example.com]`: checks settings, files, database, clock, DNS and mailboxes.
import { stat } from 'node:fs/promises'
import { openOperatorDatabase } from '../server/open-database.ts'
import type { Settings } from '../server/settings.ts'
import { checkClock, checkDatabase } from './doctor/database.ts'
import { checkDataFolder, checkKeyFile } from './doctor/files.ts'
import { formatFinding, warn, fail, ok, type Finding } from './doctor/finding.ts'
import { checkMailbox, checkSystemMailbox } from './doctor/mailboxes.ts'
import { createForwardedMark } from '../server/store/core/forwarded-mark.ts'
import { checkDomain, checkNames, checkPorts, checkProxies, realNetwork } from './doctor/network.ts'
import { explainError, runCommand, type CommandContext } from './run-command.ts'

async function checkStored(
  { settings, log, args }: CommandContext,
  show: (findings: Finding[]) => void,
): Promise<void> {
  if (settings.databaseUrl === null && (await stat(settings.dataDir).catch(() => null)) === null) {
    // A check must not create it.
    show([warn('database', 'The embedded database is created at the first start.')])
    return
  }
  try {
    await using attached = await openOperatorDatabase(settings, log)
    const { database } = attached
    show(await checkDatabase(database.pool, settings.secretKeyFile))
    show([await checkClock(database.pool, () => Date.now())])
    for (const address of args) show(await checkMailbox(database, settings, address))
  } catch (error) {
    const sentence = explainError(error)
    if (sentence === null) throw error
    show([fail('database', sentence)])
  }
}

function hostsOf({ publicUrl, systemSmtpUrl }: Settings): string[] {
  return [publicUrl === null ? null : new URL(publicUrl), systemSmtpUrl].flatMap((url) =>
    url === null ? [] : [url.hostname.replace(/^\[|\]$/g, '')],
  )
}

await runCommand([], async (context) => {
  const { settings, args } = context
  let failCount = 0
  const show = (findings: readonly Finding[]) => {
    for (const finding of findings) process.stdout.write(`${formatFinding(finding)}\n`)
    failCount += findings.filter(({ state }) => state === 'fail').length
  }
  show([ok('settings', 'All settings are valid.')])
  show(await checkDataFolder(settings.dataDir))
  show([await checkKeyFile(settings.secretKeyFile)])
  await checkStored(context, show)
  show([checkProxies(settings.trustedProxies, await createForwardedMark(settings.dataDir).read())])
  show(await checkNames(hostsOf(settings), realNetwork))
  show(await checkPorts(realNetwork))
  show([await checkSystemMailbox(settings)])
  for (const address of args) show(await checkDomain(address.slice(address.lastIndexOf('@') + 1), realNetwork))
  if (failCount === 0) process.stdout.write('\nNo problems found.\n')
  else process.stdout.write(`\n${failCount === 1 ? '1 problem' : `${failCount} problems`} found.\n`)
  if (failCount > 0) process.exitCode = 1
})
