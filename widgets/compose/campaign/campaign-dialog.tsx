import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { campaignStoreOf, type CampaignStore } from './campaign-store.ts'
import { CampaignTerms, Forecast } from './campaign-terms.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { useText } from '../../kit/text/text.tsx'

/** Settings of a campaign before its start: mailboxes, start time, postal address of the footer; and its estimated end. */
export function CampaignDialog({ store: composer }: { store: ComposeStore }) {
  const t = useText()
  const [store] = useState(() => campaignStoreOf(composer))
  useEffect(() => void store.prepare(), [store])
  const { totalCount } = useSnapshot(store.state)
  const people = usePeople(composer)
  return (
    <Dialog
      title={
        people === null
          ? t('Launch Campaign')
          : t('Launch to {count} recipient|Launch to {count} recipients', { count: people?.count ?? totalCount })
      }
      onClosed={() => store.close()}
    >
      {(close) => (
        <div className="campaign">
          <p>
            {t('This goes out as a campaign, with your postal address and a link to unsubscribe below the message.')}
          </p>
          <Mailboxes store={store} composer={composer} />
          <CampaignTerms store={store} back={t('Back to the message')} onBack={close}>
            <Standing store={store} composer={composer} />
          </CampaignTerms>
        </div>
      )}
    </Dialog>
  )
}

/** The people of lists and segments with the further recipients: null while they are counted, undefined without them. */
function usePeople(composer: ComposeStore) {
  const { draft, audience } = useSnapshot(composer.state)
  return draft.audience?.[0] ? (audience?.counted ?? null) : undefined
}

function Mailboxes({ store, composer }: { store: CampaignStore; composer: ComposeStore }) {
  const t = useText()
  const { mailboxIds, status } = useSnapshot(store.state)
  const { items } = useSnapshot(composer.state.configs)
  const ready = items.filter((config) => config.status !== 'paused')
  if (ready.length < 2) return null
  return (
    <fieldset>
      <legend>{t('Mailboxes that share it')}</legend>
      {ready.map(({ id, email_address }) => {
        const isChosen = mailboxIds.includes(id)
        return (
          <label key={id} className="campaign-choice">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={status === 'filling' || status === 'launching' || (isChosen && mailboxIds.length === 1)}
              onChange={(event) => void store.share(id, event.currentTarget.checked)}
            />
            {email_address}
          </label>
        )
      })}
    </fieldset>
  )
}

/** How far the filling is, then who is in it and when its last mail leaves. */
function Standing({ store, composer }: { store: CampaignStore; composer: ComposeStore }) {
  const t = useText()
  const { status, filledCount, totalCount, repeatedCount, refusedCount, campaign } = useSnapshot(store.state)
  const people = usePeople(composer)
  const leftOut = people?.left_out.reduce((sum, { count }) => sum + count, 0) ?? 0
  const others = [
    repeatedCount > 0 ? t('{number} twice in the list, once in the campaign', { number: repeatedCount }) : '',
    refusedCount > 0 ? t('{number} were refused', { number: refusedCount }) : '',
    leftOut > 0 ? t('{number} are left out', { number: leftOut }) : '',
  ]
  return (
    <div className="campaign-standing" role="status">
      {status === 'filling' || filledCount < totalCount ? (
        <>
          {t('Adding recipients: {number} of {total}', { number: filledCount, total: totalCount })}
          <progress value={filledCount} max={totalCount} aria-label={t('Recipients added')} />
        </>
      ) : (
        <Forecast campaign={campaign} people={people === null ? null : people?.count} others={others} />
      )}
    </div>
  )
}
