import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignAudience } from '../../domain/campaigns/audience.ts'
import type { CampaignTexts } from '../../domain/campaigns/campaign.ts'
import { isRowId } from '../../domain/core/id.ts'
import { findMailTextProblems } from '../../domain/messages/mail-text.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import { readHeaders, type HeaderInput } from '../messages/send-options.ts'
import { designAndBody, modeProblems, readWriting, type TemplateTexts } from '../templates/template-texts.ts'
import type { CampaignAudienceService } from './campaign-audience.ts'
import type { ScheduleInput } from './campaign-schedule.ts'

export interface CampaignContentPorts {
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  workspaces: Pick<WorkspaceStore, 'find'>
  readAudience: CampaignAudienceService['readAudience']
  publicUrl: string
}

/** Editable content of a campaign; undefined fields stay. */
export type CampaignInput = Partial<Pick<CampaignTexts, 'name' | 'subject' | 'body' | 'context' | 'kind'>> &
  HeaderInput &
  Pick<TemplateTexts, 'design' | 'mode' | 'preheader'> &
  ScheduleInput & { mailboxIds?: readonly string[] | undefined; audience?: Partial<CampaignAudience> | undefined }

/** Postal address and links in the footer of a workspace's campaigns. */
export async function senderOf({ workspaces, publicUrl }: CampaignContentPorts, scope: Scope) {
  return { postalAddress: (await workspaces.find(scope))?.postalAddress ?? null, publicUrl }
}

/** Distinct ids in their order. Throws `validation` where none is given, `config_not_found` for one of another workspace. */
export async function readMailboxes(
  { mailboxes }: CampaignContentPorts,
  scope: Scope,
  ids: readonly string[],
): Promise<string[]> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) {
    const msg = 'config_id is missing; send the id of the mailbox that the campaign is sent from'
    throw new AppError('validation', { items: [{ loc: ['body', 'config_id'], msg, type: 'missing' }] })
  }
  const found = distinct.every(isRowId) ? await mailboxes.findMailboxes(scope, distinct) : []
  if (found.length < distinct.length) throw new AppError('config_not_found')
  return distinct
}

/** A campaign without content. */
export const blankTexts: CampaignTexts = {
  name: '',
  subject: '',
  body: '',
  context: {},
  mode: 'html',
  design: null,
  preheader: '',
  fromName: null,
  replyTo: null,
  kind: 'bulk',
}

/**
 * The texts with the given changes. Throws `validation` for texts that no mail can contain and for a blank subject or body,
 * `design_and_body`, `design_invalid`.
 */
export function readTexts(before: CampaignTexts, input: CampaignInput): CampaignTexts {
  const { design, body, preheader } = input
  if (design !== undefined && body !== undefined) throw designAndBody()
  const writing = readWriting({ ...pick({ design, body, preheader }) }, before)
  const headers = readHeaders({ fromName: input.fromName ?? null, replyTo: input.replyTo ?? null })
  const texts: CampaignTexts = {
    ...plainTexts(before),
    ...pick({ name: input.name, subject: input.subject, context: input.context, kind: input.kind }),
    ...writing,
    ...(input.fromName !== undefined && { fromName: headers.fromName }),
    ...(input.replyTo !== undefined && { replyTo: headers.replyTo }),
  }
  const items = problemsOf(texts)
  if (input.mode !== undefined) items.push(...modeProblems(input.mode, texts.mode))
  if (items.length > 0) throw new AppError('validation', { items })
  return texts
}

function plainTexts({ name, subject, body, context, mode, design, preheader, fromName, replyTo, kind }: CampaignTexts) {
  return { name, subject, body, context, mode, design, preheader, fromName, replyTo, kind }
}

/** Without fields that are undefined. */
function pick<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function problemsOf({ subject, body, context, preheader }: CampaignTexts): ValidationItem[] {
  const items: ValidationItem[] = findMailTextProblems({ subject, content: body, context }).map(
    ({ path, type, sentence }) => ({
      loc: ['body', ...path.map((part, index) => (index === 0 && part === 'content' ? 'body' : part))],
      msg: sentence,
      type,
    }),
  )
  for (const { type, sentence } of findMailTextProblems({ subject: preheader, content: '', context: {} }))
    items.push({ loc: ['body', 'preheader'], msg: sentence.replace('The subject', 'The preheader'), type })
  if (subject.trim() === '') items.push({ loc: ['body', 'subject'], msg: 'Please enter a subject', type: 'missing' })
  if (body.trim() === '') items.push({ loc: ['body', 'body'], msg: 'Please enter a message', type: 'missing' })
  return items
}
