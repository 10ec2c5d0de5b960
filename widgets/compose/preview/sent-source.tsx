import { useEffect, useState } from 'react'
import { Button } from '../../kit/form/button.tsx'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useText } from '../../kit/text/text.tsx'
import type { Recipient } from '../../lib/recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { readSource, type SentSourceText } from './sent-source-store.ts'
import { css } from './sent-source.css'

const sheet = createSheet(css)

/** Shows the code of the mail as one of its recipients gets it. */
export function SentSource({ store, reader }: { store: ComposeStore; reader: Recipient | undefined }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div>
        <Button size="small" onClick={() => setOpen(true)}>
          {t('Source as sent')}
        </Button>
      </div>
      {isOpen && (
        <Dialog title={t('Source as sent')} size="wide" onClosed={() => setOpen(false)}>
          {() => <Source store={store} reader={reader} />}
        </Dialog>
      )}
    </>
  )
}

function Source({ store, reader }: { store: ComposeStore; reader: Recipient | undefined }) {
  useSheet(sheet)
  const t = useText()
  const [shown, setShown] = useState<SentSourceText | null>(null)
  useEffect(() => {
    let isGone = false
    void readSource(store, reader).then((read) => isGone || setShown(read))
    return () => {
      isGone = true
    }
  }, [store, reader])
  if (shown === null) return <p role="status">{t('Loading...')}</p>
  if ('problem' in shown) return <p role="alert">{shown.problem}</p>
  return (
    <>
      <p>
        {t('Lines end with CRLF, variables are filled, and a bulk message has its footer. Nothing else is changed.')}
      </p>
      <pre className="sent-source" dir="ltr" translate="no" tabIndex={0} aria-label={t('Source as sent')}>
        {shown.html}
      </pre>
    </>
  )
}
