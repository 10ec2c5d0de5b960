import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { refusalsShownMaxCount } from '../../../contract/core/limits.ts'
import { type CampaignRow, type CampaignContent, type CampaignTexts } from '../../domain/campaigns/campaign.ts'
import { stateSentence, statesBefore } from '../../domain/campaigns/campaign-state.ts'
import { campaignMail, type CampaignMail } from '../../domain/campaigns/campaign-mail.ts'
import { isRowId } from '../../domain/core/id.ts'
import { findMailTextProblems } from '../../domain/messages/mail-text.ts'
import { createSizeCheck, tooLargeItem } from '../../domain/messages/rendered-size.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import { readSchedule, type ScheduleInput } from './campaign-schedule.ts'
import type { RefuseLargeCampaign } from './campaign-size.ts'
import { retryOnConflict, type CampaignService } from './campaign-service.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignStore } from '../../store/campaigns/campaign.ts'
import type { TemplateStore } from '../../store/templates/template.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'

type Texts = CampaignContent & { mail: CampaignMail }

interface Ports {
  campaigns: Pick<CampaignStore, 'create' | 'rename' | 'rewrite'>
  templates: Pick<TemplateStore, 'find'>
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  workspaces: Pick<WorkspaceStore, 'find'>
  findCampaign: CampaignService['findCampaign']
  refuseLargeCampaign: RefuseLargeCampaign
  newId: () => string
  publicUrl: string
}

/** Editable content of a campaign; undefined fields stay. */
export type CampaignInput = Partial<CampaignTexts> & ScheduleInput & { mailboxIds?: readonly string[] | undefined }

/** A new campaign with its first recipients; it is not created where one of their mails is too large. */
export type NewCampaignInput = CampaignInput & {
  templateId: string | null
  isStaged: boolean
  recipients: readonly { email: string; context: MergeContext | null }[]
}

/**
 * Creates a draft; once for each `resourceId`.
 * Throws `validation`, `mail_too_large`, `template_not_found`, `config_not_found`; `campaign_not_found` for a `resourceId` that was created and deleted.
 */
export function createCreateCampaign(ports: Ports) {
  return async (
    scope: Scope,
    { templateId, isStaged, recipients, ...input }: NewCampaignInput,
    resourceId: string | null = null,
  ): Promise<CampaignRow> => {
    const template = templateId === null ? null : await findTemplate(ports, scope, templateId)
    const texts = readTexts({
      name: input.name ?? input.subject ?? template?.subject ?? '',
      subject: input.subject ?? template?.subject ?? '',
      body: input.body ?? template?.body ?? '',
      context: input.context ?? {},
    })
    const schedule = readSchedule(input, { scheduledAt: null, timezone: null })
    const mailboxIds = await readMailboxes(ports, scope, input.mailboxIds ?? [])
    const mail = campaignMail(texts, await senderOf(ports, scope))
    refuseLarge(mail, recipients, ports.publicUrl)
    const id = resourceId ?? ports.newId()
    const campaign = {
      ...texts,
      ...schedule,
      mailboxIds,
      mail,
      id,
      templateId,
      isStaged,
    }
    return (await ports.campaigns.create(scope, campaign)) ?? ports.findCampaign(scope, id)
  }
}

/**
 * Changes the given fields; after the start only the name.
 * Throws `campaign_not_found`, `campaign_state`, `campaign_has_recipients`, `validation`, `config_not_found`; for one that
 * starts without a further call `mail_too_large`.
 */
export function createUpdateCampaign(ports: Ports) {
  const edited = async (scope: Scope, campaign: CampaignRow, input: CampaignInput): Promise<Texts> => {
    const texts = readTexts({
      name: input.name ?? campaign.name,
      subject: input.subject ?? campaign.subject,
      body: input.body ?? campaign.body,
      context: input.context ?? campaign.context,
    })
    const schedule = readSchedule(input, campaign)
    if (campaign.status === 'scheduled' && schedule.scheduledAt === null) {
      const msg = 'scheduled_at is needed while the campaign is scheduled; launch it to start now, or pause it'
      throw new AppError('validation', { items: [{ loc: ['body', 'scheduled_at'], msg, type: 'missing' }] })
    }
    const mailboxIds = input.mailboxIds ? await readMailboxes(ports, scope, input.mailboxIds) : campaign.mailboxIds
    const mail = campaignMail(texts, await senderOf(ports, scope))
    if (campaign.status === 'scheduled') await ports.refuseLargeCampaign(scope, campaign.id, mail)
    return { ...texts, ...schedule, mailboxIds, mail }
  }

  return async (scope: Scope, id: string, input: CampaignInput): Promise<void> => {
    const { name, ...rest } = input
    const isNameOnly = Object.values(rest).every((value) => value === undefined)
    if (isNameOnly) {
      await ports.findCampaign(scope, id)
      if (name !== undefined) await ports.campaigns.rename(scope, id, name)
      return
    }
    const from = statesBefore('edit')
    const outcome = await retryOnConflict(async () => {
      const read = await ports.findCampaign(scope, id)
      if (!from.includes(read.status)) return null
      return ports.campaigns.rewrite(scope, id, { from, read }, await edited(scope, read, input))
    })
    if (outcome === 'recipients') throw new AppError('campaign_has_recipients')
    if (outcome === null) {
      const { status } = await ports.findCampaign(scope, id)
      throw new AppError('campaign_state', { detail: stateSentence('edit', status) })
    }
  }
}

function refuseLarge(mail: CampaignMail, recipients: NewCampaignInput['recipients'], publicUrl: string): void {
  if (recipients.length === 0) return
  const size = createSizeCheck({ ...mail, isHtml: true }, publicUrl)
  const items = recipients.flatMap(({ email, context }) => {
    const problem = size.find(email, context)
    return problem === null ? [] : [tooLargeItem(problem)]
  })
  if (items.length > 0) throw new AppError('mail_too_large', { items: items.slice(0, refusalsShownMaxCount) })
}

async function findTemplate({ templates }: Ports, scope: Scope, id: string) {
  const template = isRowId(id) ? await templates.find(scope, id) : null
  if (template === null) throw new AppError('template_not_found')
  return template
}

async function senderOf({ workspaces, publicUrl }: Ports, scope: Scope) {
  return { postalAddress: (await workspaces.find(scope))?.postalAddress ?? null, publicUrl }
}

/** Each once, in the order given; all of the workspace. */
async function readMailboxes({ mailboxes }: Ports, scope: Scope, ids: readonly string[]): Promise<string[]> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) {
    const msg = 'config_id is missing; name the mailbox that the campaign is sent from'
    throw new AppError('validation', { items: [{ loc: ['body', 'config_id'], msg, type: 'missing' }] })
  }
  const found = distinct.every(isRowId) ? await mailboxes.findMailboxes(scope, distinct) : []
  if (found.length < distinct.length) throw new AppError('config_not_found')
  return distinct
}

/** Refuses what no mail can carry, and subjects and bodies of blanks. */
function readTexts(texts: CampaignTexts): CampaignTexts {
  const { subject, body, context } = texts
  const items: ValidationItem[] = findMailTextProblems({ subject, content: body, context }).map(
    ({ path, type, sentence }) => ({
      loc: ['body', ...path.map((part, index) => (index === 0 && part === 'content' ? 'body' : part))],
      msg: sentence,
      type,
    }),
  )
  if (subject.trim() === '') items.push({ loc: ['body', 'subject'], msg: 'Please enter a subject', type: 'missing' })
  if (body.trim() === '') items.push({ loc: ['body', 'body'], msg: 'Please enter a message', type: 'missing' })
  if (items.length > 0) throw new AppError('validation', { items })
  return texts
}
