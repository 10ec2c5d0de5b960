import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../kit/feedback/banner.tsx'
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
  const { totalCount, problems } = useSnapshot(store.state)
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
          <Kind composer={composer} />
          <Mailboxes store={store} composer={composer} />
          <CampaignTerms store={store} isBlocked={problems.length > 0} back={t('Back to the message')} onBack={close}>
            <Standing store={store} composer={composer} />
          </CampaignTerms>
        </div>
      )}
    </Dialog>
  )
}

/** What the recipients find below the message. */
function Kind({ composer }: { composer: ComposeStore }) {
  const t = useText()
  const { kind } = useSnapshot(composer.state.draft)
  return (
    <p>
      {kind === 'transactional'
        ? t('This goes out as it is, without a link to unsubscribe.')
        : t('This goes out with your postal address and a link to unsubscribe below the message.')}
    </p>
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

/** How far the filling is, then who is in it, when its last mail leaves, and what prevents the launch. */
function Standing({ store, composer }: { store: CampaignStore; composer: ComposeStore }) {
  const t = useText()
  const { status, filledCount, totalCount, repeatedCount, refusedCount, forecast, problems } = useSnapshot(store.state)
  const people = usePeople(composer)
  const leftOut = people?.left_out.reduce((sum, { count }) => sum + count, 0) ?? 0
  const others = [
    repeatedCount > 0 ? t('{number} twice in the list, once in the campaign', { number: repeatedCount }) : '',
    refusedCount > 0 ? t('{number} were refused', { number: refusedCount }) : '',
    leftOut > 0 ? t('{number} are left out', { number: leftOut }) : '',
  ]
  return (
    <div className="campaign-standing" role="status">
      {status === 'launching' && filledCount < totalCount ? (
        <>
          {t('Adding recipients: {number} of {total}', { number: filledCount, total: totalCount })}
          <progress value={filledCount} max={totalCount} aria-label={t('Recipients added')} />
        </>
      ) : (
        forecast && <Forecast forecast={forecast} people={people === null ? null : people?.count} others={others} />
      )}
      {problems.length > 0 && (
        <Banner kind="error" title={t('This cannot be launched yet')}>
          {problems.map((problem) => (
            <p key={problem}>{t(problem)}</p>
          ))}
        </Banner>
      )}
    </div>
  )
}
