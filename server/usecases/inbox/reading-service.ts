import { AppError } from '../../../contract/core/errors.ts'
import { readingSentences } from '../../../contract/inbox/reading-sentences.ts'
import type { ConfigChanges } from '../../../contract/mail/config.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { FolderPosition, ReadingMailbox } from '../../domain/inbox/reading.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'
import type { StartedSignIn } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import type { ReadingSwitchStore } from '../../store/inbox/reading-switch.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { OAuthStates } from '../../store/mailboxes/oauth-state.ts'
import type { OpenReading } from './open-reading.ts'

interface Ports {
  readings: ReadingSwitchStore
  mailboxes: Pick<MailboxStore, 'openSecrets'>
  open: OpenReading
  /** Signs in and returns the folders with the positions of now. `problem` where that fails. */
  tryReading: (
    mailbox: ReadingMailbox,
  ) => Promise<{ positions: FolderPosition[] } | { problem: 'refused' | 'unreachable'; isGuess: boolean }>
  oauth: Pick<OAuthClient, 'isOffered' | 'newCodeVerifier' | 'start'>
  states: Pick<OAuthStates, 'seal'>
  now: () => Date
}

/** How long ago a check counts as now, for callers that need a fresh mailbox. */
export interface InboxFreshness {
  checkedAt: (scope: Scope, mailbox: MailboxKey) => Promise<Date | null>
  requestCheck: (scope: Scope, mailbox: MailboxKey) => Promise<void>
}

const signInLifeMs = 15 * 60_000

export type ReadingChanges = Pick<ConfigChanges, 'reading' | 'imap_host' | 'imap_port' | 'imap_security'>

/** Turns reading on and off. */
export function createReadingService({ readings, mailboxes, open, tryReading, oauth, states, now }: Ports) {
  const find = async (scope: Scope, id: string) => {
    const row = isRowId(id) ? await readings.find(scope, id) : null
    if (row === null) throw new AppError('config_not_found')
    return row
  }

  const turnOn = async (scope: Scope, id: string) => {
    const mailbox = await open(scope, id)
    if ('kind' in mailbox) {
      if (mailbox.kind === 'gone') throw new AppError('config_not_found')
      if (mailbox.kind === 'needs_consent') {
        await readings.turnOff(scope, id, 'needs_consent', mailbox.sentence)
        throw new AppError('reading_needs_consent', { detail: mailbox.sentence })
      }
      throw notOffered(mailbox.sentence)
    }
    const tried = await tryReading(mailbox)
    if ('positions' in tried) return readings.turnOn(scope, id, tried.positions, now())
    await readings.turnOff(scope, id)
    if (tried.problem === 'refused') throw new AppError('imap_refused')
    // The name was derived from that of the mail server: there may be no such server at all.
    if (!tried.isGuess) throw new AppError('imap_unreachable')
    await readings.turnOff(scope, id, 'off', readingSentences.noImap)
    throw notOffered(readingSentences.noImap)
  }

  return {
    /** Throws `config_not_found`, `imap_unreachable`, `imap_refused`, `reading_needs_consent`, `imap_not_offered`. */
    async changeReading(scope: Scope, id: string, changes: ReadingChanges): Promise<void> {
      const { reading, imap_host: host, imap_port: port, imap_security: security } = changes
      if (reading === undefined && host === undefined && port === undefined && security === undefined) return
      const row = await find(scope, id)
      if (host !== undefined || port !== undefined || security !== undefined) {
        await readings.setImap(scope, id, {
          imapHost: host === undefined ? row.imapHost : trimmed(host),
          imapPort: port === undefined ? row.imapPort : port,
          imapSecurity: security === undefined ? row.imapSecurity : security,
        })
      }
      if (reading === false) await readings.turnOff(scope, id)
      else if (reading === true && !row.isReading) await turnOn(scope, id)
      else if (row.isReading) await readings.retry(scope, id)
    },

    /**
     * Reads a mailbox whose owner has come back from the provider with the permission to read. Why that fails is shown on the
     * mailbox; sending goes on in any case.
     */
    async readAfterConsent(scope: Scope, id: string): Promise<void> {
      try {
        const row = await find(scope, id)
        await (row.isReading ? readings.retry(scope, id) : turnOn(scope, id))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    },

    /** Throws `config_not_found`. */
    async getReading(scope: Scope, id: string) {
      const row = await find(scope, id)
      const [folders, totals, opened] = await Promise.all([
        readings.listFolders(scope, id),
        readings.totals(scope, id),
        row.isReading ? null : open(scope, id).catch(() => null),
      ])
      const isNotOffered = opened !== null && 'kind' in opened && opened.kind === 'not_offered'
      const error = isNotOffered ? opened.sentence : row.error
      return { ...row, error, folders, totals, canRead: !isNotOffered }
    },

    /** Begins the provider's sign-in with the permission to read. Throws `config_not_found`, `mailbox_sign_in_not_offered`. */
    async startConsent(scope: Scope, userId: string, id: string): Promise<string> {
      await find(scope, id)
      const secrets = await mailboxes.openSecrets(scope, id)
      const provider = secrets?.provider
      if (secrets === null || (provider !== 'gmail' && provider !== 'outlook') || !oauth.isOffered(provider)) {
        throw new AppError('mailbox_sign_in_not_offered')
      }
      const started: StartedSignIn = {
        provider,
        emailAddress: secrets.emailAddress,
        userId,
        codeVerifier: oauth.newCodeVerifier(),
        expiresAtMs: now().getTime() + signInLifeMs,
        isForReading: true,
      }
      try {
        return await oauth.start(provider, { ...started, state: states.seal(scope, started) })
      } catch (error) {
        throw new AppError('mailbox_sign_in_failed', { cause: error })
      }
    },

    freshness: {
      checkedAt: (scope, { mailboxId }) => readings.checkedAt(scope, mailboxId),
      requestCheck: (scope, { mailboxId }) => readings.requestCheck(scope, mailboxId),
    } satisfies InboxFreshness,
  }
}

/** What a reader says of a state that waits for the owner. */
export const refusedSentence = readingSentences.imapRefused

const notOffered = (msg: string) =>
  new AppError('imap_not_offered', { items: [{ loc: ['body', 'reading'], msg, type: 'imap_not_offered' }] })

function trimmed(host: string | null): string | null {
  const text = host?.trim() ?? ''
  return text === '' ? null : text
}
