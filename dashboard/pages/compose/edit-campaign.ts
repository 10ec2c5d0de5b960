import { addCampaignRecipients, getEmailCampaign, updateEmailCampaign } from '../../../client/mail/campaign.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { AudienceRef } from '../../../widgets/compose/compose-state.ts'
import { audienceRequest } from '../../../widgets/compose/audience/audience-request.ts'
import { keepsNewer } from '../../../widgets/compose/drafts/draft-store.ts'
import { uniqueRecipients } from '../../../widgets/lib/unique-recipients.ts'
import type { EditDeps } from './edit-message.ts'
import { draftOf, type SavedSource } from './edit-saved.ts'

/** A campaign that has not started. A draft is launched on its own screen once it is saved. */
export function savedCampaign(id: string, { session, notify, go, t }: EditDeps): SavedSource {
  let revision = 0
  let isDraft = true
  return {
    failed: t('The campaign was not saved'),
    async load() {
      const campaign = await getEmailCampaign(session, id)
      if (campaign.status !== 'draft' && campaign.status !== 'scheduled')
        throw new Error(t('The campaign has started and cannot be changed any more.'))
      const { subject, preheader, mode, design, body, context, kind, name, counts } = campaign
      const { scheduled_at: iso, timezone } = campaign
      revision = campaign.revision
      isDraft = campaign.status === 'draft'
      const { from_name: fromName, reply_to: replyTo } = campaign
      const fields = { fromName, replyTo, cc: '', bcc: '' }
      return {
        edited: {
          kind: 'campaign',
          name: name || subject,
          act: isDraft ? t('Launch Message') : t('Save changes'),
          time: iso === null ? null : { iso, timezone: timezone ?? 'UTC' },
        },
        mailboxId: campaign.config_id,
        draft: {
          ...draftOf({ subject, preheader, mode, design, html: body, context, recipients: [], kind, fields }),
          audience: audienceOf(campaign),
          ...(counts.total > 0 && { keptCount: counts.total }),
        },
      }
    },
    async save(
      composer,
      { recipient_list: _list, attachments, undo_seconds: _undo, cc: _cc, bcc: _bcc, content, ...mail },
    ) {
      const { state } = composer
      const { audience = [], recipients } = state.draft
      const { from_name = null, reply_to = null } = mail
      const { preheader } = state.draft
      const { revision: next } = await updateEmailCampaign(session, id, {
        ...mail,
        ...(content !== undefined && !keepsNewer(state.draft) && { body: content }),
        ...{ preheader, from_name, reply_to },
        ...(attachments && { attachments }),
        ...audienceRequest(audience),
        revision,
      })
      revision = next
      const people = uniqueRecipients(recipients)
      if (people.length > 0) {
        const lines = people.map(({ text, context }) => JSON.stringify(context ? { email: text, context } : text))
        await addCampaignRecipients(session, id, lines.join('\n'))
        composer.write({ recipients: [], keptCount: (state.draft.keptCount ?? 0) + people.length })
      }
      if (isDraft && !state.isLater) {
        go(`/dashboard/campaigns#${id}`, { state: { isLaunching: true } })
        return true
      }
      notify({ kind: 'success', text: t('The campaign was saved') })
      if (!isDraft) go(`/dashboard/campaigns#${id}`)
      return !isDraft
    },
    onMissing(why) {
      notify({ kind: 'error', text: why ?? t('The campaign could not be loaded') })
      go('/dashboard/campaigns')
    },
  }
}

function audienceOf(campaign: Campaign): AudienceRef[] {
  const refs = (kind: AudienceRef['kind'], ids: readonly string[], isExcluded: boolean) =>
    ids.map((one) => ({ kind, id: one, name: '', ...(isExcluded && { isExcluded }) }))
  return [
    ...refs('list', campaign.list_ids, false),
    ...refs('segment', campaign.segment_ids, false),
    ...refs('list', campaign.exclude_list_ids, true),
    ...refs('segment', campaign.exclude_segment_ids, true),
  ]
}
