import { proxy } from 'valtio/vanilla'
import { exportCampaignRecipients, listCampaignRecipients } from '../../../client/mail/campaign.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import type { CampaignDelivery, RecipientAct } from '../../../contract/mail/campaign-recipient.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { createPagedStore } from '../../kit/paged-store.ts'
import { deliveryLabels } from './campaign-labels.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

/** Filters of the recipients; '' for all. The names are query parameters, beside those of other lists. */
export interface RecipientFilter {
  /** Part of an address. */
  recipient: string
  state: DeliveryState | ''
  /** What they did. */
  did: RecipientAct | ''
  /** Number of a link that they clicked. */
  link: string
  /** Why their mail bounced. */
  reason: string
  domain: string
  /** Id of the mailbox that sends to them. */
  mailbox: string
}

export const noRecipientFilter: RecipientFilter = {
  recipient: '',
  state: '',
  did: '',
  link: '',
  reason: '',
  domain: '',
  mailbox: '',
}

/** What recipients did, in words. */
export const actLabels: Readonly<Record<RecipientAct, string>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  not_opened: 'Did not open',
  opened_by_machines: 'Opened by machines only',
  clicked: 'Clicked',
  clicked_by_machines: 'Clicked by machines only',
  replied: 'Replied',
  bounced: 'Bounced',
  complained: 'Called it spam',
  unsubscribed: 'Unsubscribed',
}

/** The filter as the query of a call. */
export function queryOf({ recipient, state, did, link, reason, domain, mailbox }: RecipientFilter) {
  return {
    ...(recipient.trim() && { search: recipient.trim() }),
    ...(state && { state }),
    ...(did && { did }),
    ...(/^[1-9]\d{0,4}$/.test(link) && { link_no: Number(link) }),
    ...(reason && { bounce_reason: reason }),
    ...(domain && { domain }),
    ...(mailbox && { config_id: mailbox }),
  }
}

/** Refresh interval of a page with pending recipients, in ms. */
const movingMs = 3000
const openStates: readonly DeliveryState[] = ['queued', 'sending', 'deferred']

/** The recipients of a campaign, page by page. `isMoving`: whether mails of it can leave. */
export function createRecipientsStore({
  session,
  notify,
  id,
  isMoving,
}: {
  session: Session
  notify: Notify
  id: string
  isMoving: boolean
}) {
  const list = createPagedStore<CampaignDelivery, RecipientFilter>({
    filter: {
      recipient: null,
      state: Object.keys(deliveryLabels),
      did: Object.keys(actLabels),
      link: null,
      reason: null,
      domain: null,
      mailbox: null,
    },
    pageName: 'recipients_page',
    fetch: (filter, page, options) => listCampaignRecipients(session, id, { ...page, ...queryOf(filter) }, options),
    restMs: (rows) => (isMoving && rows.some(({ state }) => openStates.includes(state)) ? movingMs : null),
  })
  const state = proxy<{ download: 'idle' | 'busy' }>({ download: 'idle' })
  return {
    list,
    state,
    /** Hands the CSV of the filtered recipients to `save`; a failure is a toast. */
    async download(save: (csv: string) => void): Promise<void> {
      state.download = 'busy'
      try {
        save(await exportCampaignRecipients(session, id, queryOf(list.state.filter)))
      } catch (error) {
        notify({
          kind: 'error',
          text: pageLanguage.t('The CSV could not be downloaded. {error}', { error: errorText(error) ?? '' }),
        })
      } finally {
        state.download = 'idle'
      }
    },
  }
}

export type RecipientsStore = ReturnType<typeof createRecipientsStore>
