import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignRow } from '../../domain/campaigns/campaign.ts'
import { mergeFieldsOf } from '../../domain/campaigns/merge-fields.ts'
import { createSizeCheck, type SizeCheck } from '../../domain/messages/rendered-size.ts'
import { createMailboxAllocator, type MailboxBudget } from '../../domain/quota/forecast.ts'
import type {
  CampaignFillStore,
  CampaignToFill,
  FillSession,
  LargePerson,
} from '../../store/campaigns/campaign-fill.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'
import type { ContactFieldStore } from '../../store/contacts/contact-field.ts'
import type { RuleContextStore } from '../../store/segments/rule-context.ts'
import { createBackgroundWorker } from '../core/background-worker.ts'
import type { CompletionEstimator } from '../quota/estimate-completion.ts'
import type { CampaignAudienceService } from './campaign-audience.ts'
import type { CampaignMailboxes } from './campaign-mailboxes.ts'
import type { CampaignService } from './campaign-service.ts'

interface Ports {
  fills: Omit<CampaignFillStore, 'claim'>
  /** Takes a campaign of any workspace; null where none is due. */
  claim: (owner: string, now: Date, until: Date) => Promise<Job | null>
  findCampaign: CampaignService['findCampaign']
  audiences: Pick<CampaignAudienceService, 'findBroken'>
  estimator: Pick<CompletionEstimator, 'budgets'>
  ruleContext: Pick<RuleContextStore, 'read'>
  fields: Pick<ContactFieldStore, 'list'>
  recipients: Pick<CampaignRecipients, 'analyze'>
  campaignMailboxes: Pick<CampaignMailboxes, 'wake'>
  /** The scope of a task in one workspace. */
  scopeOf: (workspaceId: string) => Scope
  now: () => Date
  newId: () => string
  publicUrl: string
  onError: (error: unknown) => void
}

const batchCount = 50_000
const leaseMs = 5000
const renewMs = 1500
/** People whose mailboxes are chosen before other work gets a turn. */
const sharesPerTurnCount = 5000
const manyCount = 1000

type Job = CampaignToFill & Pick<Scope, 'workspaceId'>

/** Copies the audiences of launched campaigns into the queue, one at a time; continues those of a process that ended. */
export function createFillCampaigns(ports: Ports) {
  const owner = ports.newId()

  async function run({ workspaceId, ...campaign }: Job, isClosing: () => boolean): Promise<void> {
    const until = () => new Date(ports.now().getTime() + leaseMs)
    const scope = ports.scopeOf(workspaceId)
    const renewal = setInterval(() => void ports.fills.renew(scope, campaign, until()).catch(ports.onError), renewMs)
    try {
      await fill(scope, campaign, until, isClosing)
    } catch (error) {
      if (!isClosing()) ports.onError(error)
    } finally {
      clearInterval(renewal)
      // Stopped, or failed: another process, or this one later, continues.
      if (isClosing()) await ports.fills.renew(scope, campaign, null).catch(ports.onError)
    }
  }

  async function fill(
    scope: Scope,
    campaign: CampaignToFill,
    leaseUntil: () => Date,
    isClosing: () => boolean,
  ): Promise<void> {
    const row = await ports.findCampaign(scope, campaign.id)
    const [mail, rules, broken, budgets, fields] = await Promise.all([
      ports.fills.findMail(scope, campaign),
      ports.ruleContext.read(scope, ports.now()),
      ports.audiences.findBroken(scope, row.audience),
      ports.estimator.budgets(scope, row),
      ports.fields.list(scope),
    ])
    if (broken !== null) return ports.fills.fail(scope, campaign, broken)
    if (mail === null || budgets.length === 0) return ports.fills.fail(scope, campaign, 'Its mailbox was disconnected.')
    const merge = mergeFieldsOf(mail, fields)
    const size = createSizeCheck({ ...mail, isHtml: true }, ports.publicUrl)
    const shares = createShares(budgets, Math.max(ports.now().getTime(), row.scheduledAt?.getTime() ?? 0))
    await using session = await ports.fills.open(scope, campaign, row.audience, rules)
    let addedCount = 0
    for (let isLast = false; !isLast;) {
      if (isClosing()) return
      const batch = await session.fill({
        limit: batchCount,
        merge,
        mailboxIds: shares.mailboxIds,
        shares: await shares.next(batchCount),
        safeBytes: size.safeContextBytes,
        findTooLarge: (people) => tooLargeOf(size, people),
        leaseUntil,
      })
      if (batch === null) return
      shares.take(batch.addedCount)
      addedCount += batch.addedCount
      isLast = batch.isLast
    }
    await finish(scope, row, campaign, session)
    if (addedCount >= manyCount) await ports.recipients.analyze()
  }

  async function finish(
    scope: Scope,
    { mailboxIds }: CampaignRow,
    campaign: CampaignToFill,
    session: FillSession,
  ): Promise<void> {
    const end = await session.finish()
    if (end === 'empty') await ports.fills.fail(scope, campaign, 'Its audience has no recipient who may get it.')
    else if (end === 'sending') ports.campaignMailboxes.wake(scope, mailboxIds)
  }

  return createBackgroundWorker({
    claim: () => ports.claim(owner, ports.now(), new Date(ports.now().getTime() + leaseMs)),
    run,
    onError: ports.onError,
  })
}

function tooLargeOf(size: SizeCheck, people: readonly LargePerson[]): number[] {
  return people.filter(({ email, context }) => size.find(email, context) !== null).map(({ id }) => id)
}

/** Which mailbox sends to the next people; a share that was not taken goes to the next person. */
function createShares(budgets: readonly MailboxBudget[], startMs: number) {
  const mailboxIds = budgets.map(({ mailboxId }) => mailboxId)
  const numbers = new Map(mailboxIds.map((id, index) => [id, index + 1]))
  const nextMailbox = createMailboxAllocator(budgets, startMs)
  let ready: number[] = []
  return {
    mailboxIds,
    async next(count: number): Promise<readonly number[]> {
      if (mailboxIds.length === 1) return []
      while (ready.length < count) {
        if (ready.length % sharesPerTurnCount === 0) await nextTurn()
        ready.push(numbers.get(nextMailbox()) ?? 1)
      }
      return ready
    },
    take(count: number): void {
      ready = ready.slice(count)
    },
  }
}
