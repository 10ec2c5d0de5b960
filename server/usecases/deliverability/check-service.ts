import { createHash } from 'node:crypto'
import type { CheckPart, Finding } from '../../../contract/checks/deliverability.ts'
import { AppError } from '../../../contract/core/errors.ts'
import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  parseTemplate,
  unfilledVariables,
  type MergeContext,
} from '../../../contract/mail/merge-variables.ts'
import { campaignMail } from '../../domain/campaigns/campaign-mail.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import { findInDns, type DnsReader } from '../../domain/deliverability/dns-rules.ts'
import { readMail } from '../../domain/deliverability/mail-facts.ts'
import { findInMessage, scoreOf, type CheckedMail } from '../../domain/deliverability/message-rules.ts'
import type { ScoredMail, ScoreMail, SpamScore } from '../../domain/deliverability/spam-score.ts'
import type { CheckRow, CheckStore } from '../../store/deliverability/check.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Ports {
  checks: Pick<CheckStore, 'add' | 'find'>
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  workspaces: Pick<WorkspaceStore, 'find'>
  /** Null: the operator names no spam filter. */
  scoreMail: ScoreMail | null
  publicUrl: string
  dns: DnsReader
  /** Whether the mailbox is read: then the self-test can be run. */
  isReading: (scope: Scope, mailboxId: string) => Promise<boolean>
  checkLink: (href: string) => Promise<{ kind: 'answered'; status: number } | { kind: 'silent' } | { kind: 'refused' }>
  now: () => Date
  newId: () => string
}

export interface CheckInput {
  mailboxId: string
  subject: string
  body: string
  context: MergeContext
  kind: CheckedMail['kind']
}

export interface FinishedCheck extends CheckRow {
  parts: CheckPart[]
}

/** Links of a mail that are opened, and how many at the same time. */
const linksMaxCount = 40
const linksAtOnceCount = 8
/** Filled by the server in every mail to many. */
const providedVariables = ['unsubscribe_url', 'postal_address']

/** Checks messages before they are sent. */
export function createCheckService(ports: Ports) {
  const { checks, mailboxes, dns, isReading, checkLink, now, newId } = ports

  async function checkLinks(hrefs: readonly string[]): Promise<CheckPart> {
    const findings: Finding[] = []
    const open = [...new Set(hrefs)]
      .filter((href) => /^https?:/i.test(href) && !href.includes('{{'))
      .slice(0, linksMaxCount)
    const work = async () => {
      for (let href = open.shift(); href !== undefined; href = open.shift()) {
        const state = await checkLink(href)
        if (state.kind === 'refused')
          findings.push(
            linkFinding(
              'link_private',
              'A link leads into a private network, where readers cannot follow.',
              'Link to a public address.',
              href,
            ),
          )
        else if (state.kind === 'silent')
          findings.push(
            linkFinding('link_silent', 'A link does not answer.', 'Check the address, or remove the link.', href),
          )
        else if (state.status === 404 || state.status === 410 || state.status >= 500)
          findings.push(
            linkFinding(
              'link_dead',
              `A link answers with the error ${state.status}.`,
              'Correct the address, or remove the link.',
              href,
            ),
          )
      }
    }
    await Promise.all(Array.from({ length: linksAtOnceCount }, work))
    return { part: 'links', state: 'done', reason: null, findings }
  }

  async function checkDns(address: string): Promise<CheckPart> {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const cannot = (reason: string): CheckPart => ({ part: 'dns', state: 'not_possible', reason, findings: [] })
    if (!domain.includes('.')) return cannot('The sandbox has no domain. Choose a mailbox of your own.')
    try {
      return { part: 'dns', state: 'done', reason: null, findings: await findInDns(domain, dns) }
    } catch {
      return cannot(`The name servers of ${domain} did not answer. Try again in a moment.`)
    }
  }

  /** A mail to many as it leaves: with the footer that it lacks. */
  async function withFooter(scope: Scope, mail: Pick<CheckInput, 'subject' | 'body' | 'context'>): Promise<string> {
    const { postalAddress = null } = (await ports.workspaces.find(scope)) ?? {}
    return campaignMail(mail, { postalAddress, publicUrl: ports.publicUrl }).content
  }

  function checkSpam(mail: ScoredMail, context: MergeContext): Promise<CheckPart>[] {
    if (ports.scoreMail === null) return []
    const filled = {
      ...mail,
      subject: fillTemplate(parseTemplate(mail.subject), context, escapeHeader),
      html: fillTemplate(parseTemplate(mail.html), context, escapeHtml),
    }
    return [
      ports.scoreMail(filled).then(
        (score) => ({ part: 'spam', state: 'done', reason: null, findings: [spamFinding(score)] }),
        () => ({
          part: 'spam',
          state: 'not_possible',
          reason: 'The spam filter did not answer. Try again in a moment.',
          findings: [],
        }),
      ),
    ]
  }

  return {
    /** Throws `config_not_found`. */
    async startCheck(scope: Scope, { mailboxId, subject, body, context, kind }: CheckInput): Promise<FinishedCheck> {
      const startedAt = now()
      const [mailbox] = isRowId(mailboxId) ? await mailboxes.findMailboxes(scope, [mailboxId]) : []
      if (mailbox === undefined) throw new AppError('config_not_found')
      const sent = kind === 'bulk' ? await withFooter(scope, { subject, body, context }) : body
      const facts = readMail(subject, sent)
      const unfilled = unfilledVariables([...parseTemplate(subject), ...parseTemplate(body)], {
        ...context,
        ...Object.fromEntries(providedVariables.map((name) => [name, 'x'])),
      })
      const parts: CheckPart[] = [
        { part: 'message', state: 'done', reason: null, findings: findInMessage({ ...facts, kind, unfilled }) },
        ...(await Promise.all([
          checkLinks(facts.links.map(({ href }) => href)),
          checkDns(mailbox.address),
          ...checkSpam({ from: mailbox.address, subject, html: sent, text: facts.text }, context),
        ])),
        {
          part: 'self_test',
          state: 'not_possible',
          reason: (await isReading(scope, mailboxId))
            ? 'The self-test sends this mail to the mailbox itself. It has not been run yet.'
            : 'The self-test is not available yet: mailboxes are not read.',
          findings: [],
        },
      ]
      const contentHash = createHash('sha256')
        .update(JSON.stringify([mailboxId, subject, body, context, kind]))
        .digest()
      const score = scoreOf(parts.flatMap(({ findings }) => findings))
      const check = { id: newId(), contentHash, score, parts, finishedAt: now() }
      await checks.add(scope, check, { configId: mailboxId, startedAt })
      return check
    },

    /** Throws `check_not_found`. */
    async getCheck(scope: Scope, id: string): Promise<FinishedCheck> {
      const check = isRowId(id) ? await checks.find(scope, id) : null
      if (check === null) throw new AppError('check_not_found')
      return check as FinishedCheck
    },
  }
}

/** The points of a spam filter; from its limit on, mail is spam. */
function spamFinding({ filter, score, limit, rules }: SpamScore): Finding {
  const isSpam = score >= limit
  const matched = rules.length === 0 ? '' : ` It names ${rules.join(', ')}.`
  return {
    rule: 'spam_score',
    severity: isSpam ? 'error' : 'info',
    sentence: `${filter} gives ${score} points; from ${limit} points on, a mail is spam.`,
    remedy: `${isSpam ? 'Change what its rules name, then check again.' : 'Nothing has to be done.'}${matched}`,
    place: null,
  }
}

const linkFinding = (rule: string, sentence: string, remedy: string, place: string): Finding => ({
  rule,
  severity: 'error',
  sentence,
  remedy,
  place,
})
