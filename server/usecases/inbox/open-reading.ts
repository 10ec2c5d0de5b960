import { readingSentences } from '../../../contract/inbox/reading-sentences.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import type { SignInProvider } from '../../../contract/mail/config.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ImapEndpoint, ImapLogin, ReadingMailbox, ReadingObstacle } from '../../domain/inbox/reading.ts'
import type { MailboxSecrets } from '../../domain/mailboxes/mailbox.ts'
import { isFresh, type MailboxTokens } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import type { ReadingRow, ReadingSwitchStore } from '../../store/inbox/reading-switch.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Ports {
  readings: Pick<ReadingSwitchStore, 'find'>
  mailboxes: Pick<MailboxStore, 'openSecrets' | 'renewTokens'>
  oauth: Pick<OAuthClient, 'isOffered' | 'renew'>
  /** The IMAP server; null where there is none. */
  endpointOf: (secrets: MailboxSecrets, row: ReadingRow) => ImapEndpoint | null
  now: () => Date
}

export type OpenReading = ReturnType<typeof createOpenReading>

/** Opens a mailbox for reading: its IMAP server and a login, or why there is none. Never pauses sending. */
export function createOpenReading({ readings, mailboxes, oauth, endpointOf, now }: Ports) {
  const loginOf = async (scope: Scope, secrets: MailboxSecrets): Promise<ImapLogin | ReadingObstacle> => {
    const { emailAddress: user, appPassword, provider, tokens } = secrets
    if (!tokens) {
      if (provider === 'outlook') return { kind: 'not_offered', sentence: readingSentences.outlookImapPassword }
      return { user, pass: appPassword ?? '' }
    }
    const consent = { kind: 'needs_consent', sentence: readingSentences.readingConsent } as const
    if (provider !== 'gmail' && provider !== 'outlook') return consent
    if (provider === 'outlook' && tokens.canRead !== true) return consent
    if (!oauth.isOffered(provider)) return { kind: 'needs_consent', sentence: mailboxSentences.oauthNotOffered }
    const current = isFresh(tokens, now().getTime()) ? tokens : await renew(scope, secrets.mailboxId, provider, tokens)
    return current === null ? consent : { user, accessToken: current.accessToken }
  }

  const renew = (scope: Scope, mailboxId: string, provider: SignInProvider, stale: MailboxTokens) =>
    mailboxes.renewTokens(scope, mailboxId, stale, async (tokens) => {
      const renewal = await oauth.renew(provider, tokens)
      return renewal.kind === 'renewed' ? renewal.tokens : null
    })

  return async (scope: Scope, mailboxId: string): Promise<ReadingMailbox | ReadingObstacle> => {
    const row = await readings.find(scope, mailboxId)
    const secrets = row && (await mailboxes.openSecrets(scope, mailboxId))
    if (!row || !secrets) return { kind: 'gone' }
    const endpoint = endpointOf(secrets, row)
    if (endpoint === null) return { kind: 'not_offered', sentence: readingSentences.noImap }
    const login = await loginOf(scope, secrets)
    if ('kind' in login) return login
    return {
      workspaceId: scope.workspaceId,
      mailboxId,
      endpoint,
      login,
      readingSince: row.since ?? now(),
      isActive: row.isActive,
      credentialsVersion: secrets.credentialsVersion ?? 0,
    }
  }
}
