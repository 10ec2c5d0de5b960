import type { CheckPart, Finding } from '../../../contract/checks/deliverability.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { ReadingMailbox, ReadingObstacle } from '../../domain/inbox/reading.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { SendTest } from '../messages/send-test.ts'

interface Found {
  folder: string
  role: 'inbox' | 'junk'
  authentication: string | null
}

interface Ports {
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  /** Whether the mailbox's owner lets it be read. */
  isReading: (scope: Scope, mailboxId: string) => Promise<boolean>
  open: (scope: Scope, mailboxId: string) => Promise<ReadingMailbox | ReadingObstacle>
  sendTest: SendTest
  /** Null where the mail did not arrive in time. */
  readBack: (mailbox: ReadingMailbox, messageId: string, timeoutMs: number) => Promise<Found | null>
}

interface SelfTestInput {
  mailboxId: string
  subject: string
  content: string
  context: MergeContext
}

const arrivalMaxMs = 20_000

const part = (state: CheckPart['state'], reason: string | null, findings: Finding[] = []): CheckPart => ({
  part: 'self_test',
  state,
  reason,
  findings,
})

/** Sends a message from a mailbox to itself and reads it back. Throws what a test mail does. */
export function createSelfTest({ mailboxes, isReading, open, sendTest, readBack }: Ports) {
  return async (scope: Scope, input: SelfTestInput): Promise<CheckPart> => {
    const { mailboxId, subject, content, context } = input
    const [mailbox] = isRowId(mailboxId) ? await mailboxes.findMailboxes(scope, [mailboxId]) : []
    if (mailbox === undefined) throw new AppError('config_not_found')
    const cannot = (reason: string) => part('not_possible', reason)
    if (!(await isReading(scope, mailboxId))) {
      return cannot('The self-test reads its mail back. Turn on reading for this mailbox under Email Config.')
    }
    const opened = await open(scope, mailboxId)
    if ('kind' in opened) return cannot(opened.kind === 'gone' ? 'The mailbox was deleted.' : opened.sentence)
    const mail = { mailboxId, to: [mailbox.address], asRecipient: {}, subject, content, context, options: {} }
    const sent = await sendTest(scope, mail, null)
    try {
      const found = await readBack(opened, sent.id, arrivalMaxMs)
      if (found !== null) return part('done', null, [folderOf(found), authenticationOf(found)])
      return cannot(`The mail was sent, but was not in the mailbox within ${arrivalMaxMs / 1000} s. Look for it later.`)
    } catch {
      return cannot('The mail was sent, but the mailbox could not be read. Its row under Email Config says why.')
    }
  }
}

function folderOf({ folder, role }: Found): Finding {
  if (role === 'inbox') {
    const sentence = `The mail arrived in ${folder}.`
    return { rule: 'self_test_inbox', severity: 'info', sentence, remedy: 'Nothing needs to be done.', place: folder }
  }
  return {
    rule: 'self_test_junk',
    severity: 'warning',
    sentence: `The mail arrived in the junk folder ${folder}.`,
    remedy: 'Correct what the check found, and set up SPF, DKIM and DMARC for the sender’s domain.',
    place: folder,
  }
}

function authenticationOf({ authentication }: Found): Finding {
  if (authentication === null) {
    return {
      rule: 'self_test_unchecked',
      severity: 'info',
      sentence: 'The provider of this mailbox writes no Authentication-Results.',
      remedy: 'Send a test to a mailbox of another provider to see them.',
      place: null,
    }
  }
  const failed = ['spf', 'dkim', 'dmarc'].filter((name) =>
    new RegExp(`\\b${name}=(?:fail|softfail|permerror|none)\\b`, 'i').test(authentication),
  )
  return {
    rule: failed.length === 0 ? 'self_test_authenticated' : 'self_test_not_authenticated',
    severity: failed.length === 0 ? 'info' : 'warning',
    sentence: `Authentication-Results: ${authentication}`,
    remedy:
      failed.length === 0
        ? 'Nothing needs to be done.'
        : `Set up ${failed.map((name) => name.toUpperCase()).join(', ')} for the sender’s domain.`,
    place: null,
  }
}
