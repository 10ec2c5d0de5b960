import { proxy } from 'valtio/vanilla'
import { exportCampaignRecipients, listCampaignRecipients } from '../../../client/mail/campaign.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import type { CampaignDelivery } from '../../../contract/mail/campaign-recipient.ts'
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
    filter: { recipient: null, state: Object.keys(deliveryLabels) },
    pageName: 'recipients_page',
    fetch: ({ recipient, state }, page, options) => {
      const wanted = { ...(recipient.trim() && { search: recipient.trim() }), ...(state && { state }) }
      return listCampaignRecipients(session, id, { ...page, ...wanted }, options)
    },
    restMs: (rows) => (isMoving && rows.some(({ state }) => openStates.includes(state)) ? movingMs : null),
  })
  const state = proxy<{ download: 'idle' | 'busy' }>({ download: 'idle' })
  return {
    list,
    state,
    /** Hands the CSV of all recipients to `save`; a failure is a toast. */
    async download(save: (csv: string) => void): Promise<void> {
      state.download = 'busy'
      try {
        save(await exportCampaignRecipients(session, id))
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
