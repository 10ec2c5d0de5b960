import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../kit/banner.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog, DialogActions } from '../kit/dialog.tsx'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { TextArea } from '../kit/text-area.tsx'
import { css } from './campaign-dialog.css'
import { CampaignSchedule } from './campaign-schedule.tsx'
import { createCampaignStore, type CampaignStore } from './campaign-store.ts'
import type { ComposeStore } from './composer.ts'

const sheet = createSheet(css)

/** What a campaign is told before it starts: its mailboxes, its start, whose address stands at its foot; and when it ends. */
export function CampaignDialog({ store: composer }: { store: ComposeStore }) {
  useSheet(sheet)
  const [store] = useState(() => createCampaignStore(composer))
  useEffect(() => {
    void store.prepare()
  }, [store])
  const { status, postalAddress, needsAddress, trouble, totalCount } = useSnapshot(store.state, { sync: true })
  const canLaunch = status === 'ready' && (!needsAddress || (postalAddress ?? '').trim() !== '')
  return (
    <Dialog title={`Launch to ${totalCount.toLocaleString()} recipients`} onClosed={() => store.close()}>
      {(close) => (
        <div className="campaign">
          <p>This goes out as a campaign, with your postal address and a link to unsubscribe below the message.</p>
          <Mailboxes store={store} composer={composer} />
          <CampaignSchedule store={store} />
          {needsAddress && (
            <TextArea
              label="Postal address"
              hint="Stands at the foot of every campaign; the law asks for it."
              rows={3}
              value={postalAddress ?? ''}
              onValue={(text) => store.writeAddress(text)}
            />
          )}
          <Standing store={store} />
          {trouble && (
            <Banner kind="error" title="That did not work">
              <p>{trouble}</p>
              <Button size="small" onClick={() => void store.prepare()}>
                Try Again
              </Button>
            </Banner>
          )}
          <DialogActions>
            <Button onClick={close}>Back to the message</Button>
            <Button
              kind="primary"
              disabled={!canLaunch}
              busy={status === 'launching'}
              onClick={() => void store.launch()}
            >
              Launch Campaign
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}

function Mailboxes({ store, composer }: { store: CampaignStore; composer: ComposeStore }) {
  const { configIds, status } = useSnapshot(store.state)
  const { items } = useSnapshot(composer.state.configs)
  const ready = items.filter((config) => config.status !== 'paused')
  if (ready.length < 2) return null
  return (
    <fieldset>
      <legend>Mailboxes that share it</legend>
      {ready.map(({ id, email_address }) => {
        const isChosen = configIds.includes(id)
        return (
          <label key={id} className="campaign-choice">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={status === 'filling' || status === 'launching' || (isChosen && configIds.length === 1)}
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
function Standing({ store }: { store: CampaignStore }) {
  const { status, filledCount, totalCount, repeatedCount, refusedCount, campaign } = useSnapshot(store.state)
  const { total, suppressed } = campaign?.counts ?? { total: 0, suppressed: 0 }
  const left = [
    repeatedCount > 0 && `${repeatedCount.toLocaleString()} twice in the list, once in the campaign`,
    suppressed > 0 && `${suppressed.toLocaleString()} must not be written to`,
    refusedCount > 0 && `${refusedCount.toLocaleString()} were refused`,
  ]
  const ends = campaign?.finishes_at
  return (
    <div className="campaign-standing" role="status">
      {status === 'filling' ? (
        <>
          Adding recipients: {filledCount.toLocaleString()} of {totalCount.toLocaleString()}
          <progress value={filledCount} max={totalCount} aria-label="Recipients added" />
        </>
      ) : (
        <>
          <b>{(total - suppressed).toLocaleString()} will get it.</b> {left.filter(Boolean).join(' · ')}
          <p>
            {ends
              ? `By the limits of your mailboxes the last mail leaves ${longTime(ends)}.`
              : 'When the last mail leaves is not known.'}
          </p>
        </>
      )}
    </div>
  )
}

function longTime(iso: string): string {
  return new Date(iso).toLocaleString([], { dateStyle: 'full', timeStyle: 'short' })
}
