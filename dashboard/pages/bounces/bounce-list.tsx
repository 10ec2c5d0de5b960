import { useCallback, useEffect, useState } from 'react'
import { deleteSuppression } from '../../../client/audience/suppression.ts'
import { errorText, type CallOptions } from '../../../client/core/http.ts'
import type { Bounce } from '../../../contract/inbox/bounce.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { undo } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { Time } from '../../kit/time.tsx'
import { useLoaded } from '../../kit/use-loaded.ts'
import { bounceSentence, doneSentence } from './bounce-sentences.ts'
import { css } from './bounce-list.css'

const sheet = createSheet(css)
const refreshMs = 5000

/**
 * What came back of mails: why, the mail server's words, what was done; with the undo of a suppression. Empty while nothing
 * came back, unless `empty` is given.
 */
export function BounceList({ load, empty }: { load: (options: CallOptions) => Promise<Bounce[]>; empty?: string }) {
  useSheet(sheet)
  const t = useText()
  const { loaded, reload } = useLoaded(load)
  useEffect(() => {
    const timer = setInterval(reload, refreshMs)
    return () => clearInterval(timer)
  }, [reload])
  if (loaded.status !== 'ready') return null
  if (loaded.value.length === 0) return empty === undefined ? null : <p className="bounce-none">{empty}</p>
  return (
    <section className="panel bounce-list" aria-label={t('What came back')}>
      <h2>{t('What came back')}</h2>
      <ul>
        {loaded.value.map((bounce) => (
          <BounceRow key={`${bounce.delivery_id} ${bounce.at} ${bounce.kind}`} bounce={bounce} onChanged={reload} />
        ))}
      </ul>
    </section>
  )
}

function BounceRow({ bounce, onChanged }: { bounce: Bounce; onChanged: () => void }) {
  const t = useText()
  const { session, notify } = useApp()
  const [isBusy, setBusy] = useState(false)
  const { recipient, at, words, status, server, suppression } = bounce
  const allow = useCallback(async () => {
    if (suppression === null) return
    setBusy(true)
    try {
      await deleteSuppression(session, suppression.id)
      notify({ kind: 'success', text: t('Mails to {address} leave again', { address: recipient }) })
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
    } finally {
      setBusy(false)
      onChanged()
    }
  }, [session, notify, t, recipient, suppression, onChanged])
  const isByPerson = suppression?.reason === 'unsubscribed' || suppression?.reason === 'complained'
  return (
    <li>
      <p>
        <b translate="no">{recipient}</b> · <Time iso={at} isDated />
      </p>
      <p>{bounceSentence(t, bounce)}</p>
      {words !== '' && (
        <blockquote translate="no">
          {words}
          {(status !== null || server !== null) && (
            <footer>{[status, server].filter((text) => text !== null).join(' · ')}</footer>
          )}
        </blockquote>
      )}
      <p>{doneSentence(t, bounce)}</p>
      {suppression !== null && !isByPerson && (
        <Button size="small" icon={undo} busy={isBusy} onClick={() => void allow()}>
          {t('Undo the suppression')}
        </Button>
      )}
    </li>
  )
}
