import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../kit/feedback/banner.tsx'
import { Button } from '../../kit/form/button.tsx'
import { DialogActions } from '../../kit/overlay/dialog.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { TextArea } from '../../kit/form/text-area.tsx'
import { css } from './campaign-dialog.css'
import { CampaignOptions } from './campaign-options.tsx'
import { CampaignSchedule } from './campaign-schedule.tsx'
import { CampaignTracking } from './campaign-tracking.tsx'
import type { TermsStore } from './campaign-terms-store.ts'
import { useText } from '../../kit/text/text.tsx'

const sheet = createSheet(css)

export interface CampaignTermsProps {
  store: TermsStore
  /** On the button that leaves everything as it is. */
  back: string
  onBack: () => void
  /** Whether something prevents the launch. */
  isBlocked?: boolean
  /** What it will come to. */
  children: ReactNode
}

/** Start time of a campaign, what is recorded of it, its options, postal address of its footer, its estimate, and the launch button. */
export function CampaignTerms({ store, back, onBack, isBlocked = false, children }: CampaignTermsProps) {
  useSheet(sheet)
  const t = useText()
  const { status, postalAddress, needsAddress, trouble } = useSnapshot(store.state, { sync: true })
  const canLaunch = status === 'ready' && !isBlocked && (!needsAddress || (postalAddress ?? '').trim() !== '')
  return (
    <>
      <CampaignSchedule store={store} />
      <CampaignTracking store={store} />
      <CampaignOptions store={store} />
      {needsAddress && (
        <TextArea
          label={t('Postal address')}
          hint={t('Shown at the end of every campaign, as the law requires.')}
          rows={3}
          value={postalAddress ?? ''}
          onValue={(text) => store.writeAddress(text)}
        />
      )}
      {children}
      {trouble && (
        <Banner kind="error" title={t('That did not work')}>
          <p>{t(trouble)}</p>
          <Button size="small" onClick={() => void store.prepare()}>
            {t('Try Again')}
          </Button>
        </Banner>
      )}
      <DialogActions>
        <Button onClick={onBack}>{back}</Button>
        <Button kind="primary" disabled={!canLaunch} busy={status === 'launching'} onClick={() => void store.launch()}>
          {t('Launch Campaign')}
        </Button>
      </DialogActions>
    </>
  )
}

/** Who gets a campaign, who not and why, and when its last mail leaves. */
export function Forecast({
  forecast,
  people,
  others,
}: {
  /** How many get it, how many are suppressed, and when the last mail leaves. */
  forecast: { count: number; suppressed: number; finishesAt: string | null } | null
  /** How many get it, where lists and segments are resolved at the launch; null while they are counted. */
  people?: number | null | undefined
  others: readonly string[]
}) {
  const t = useText()
  const { count, suppressed, finishesAt: ends } = forecast ?? { count: 0, suppressed: 0, finishesAt: null }
  const parts = [
    suppressed > 0 && people === undefined ? t('{number} are suppressed', { number: suppressed }) : '',
    ...others,
  ]
  return (
    <>
      <b>{people === null ? t('Counting people…') : t('{number} will get it.', { number: people ?? count })}</b>{' '}
      {parts.filter(Boolean).join(' · ')}
      <p>
        {ends
          ? t('By the limits of your mailboxes the last mail leaves {time}.', {
              time: new Date(ends).toLocaleString(t.lang, { dateStyle: 'full', timeStyle: 'short' }),
            })
          : t('When the last mail leaves is not known.')}
      </p>
    </>
  )
}
