import { useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { useApp } from '../../app.ts'
import type { LegalDocument } from '../../content/legal/legal-document.ts'
import type { AcceptableDocument } from '../../../contract/account/account.limits.ts'
import { createAcceptanceStore } from './acceptance-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

export interface AcceptanceProps {
  name: AcceptableDocument
  document: LegalDocument
  /** Beside the box. */
  label: string
  /** On the button. */
  act: string
}

/** Box and buttons under a document: Accept requires the ticked box, stores the acceptance and returns; Decline opens /. */
export function Acceptance({ name, document, label, act }: AcceptanceProps) {
  const t = useText()
  const { session, go } = useApp()
  const [store] = useState(() =>
    createAcceptanceStore({ session, storage: () => localStorage, name, date: document.date }),
  )
  const { status, reason } = useSnapshot(store.state)
  const [agreement, setAgreement] = useState<'open' | 'agreed'>('open')
  const boxId = useId()
  const accept = async () => {
    if (!(await store.accept())) return
    if (history.length > 1) history.back()
    else go('/')
  }
  return (
    <section className="acceptance" aria-label={t('Your agreement')}>
      {status === 'failed' && (
        <Banner kind="error" title={t('Your acceptance could not be stored')}>
          <p>{reason && t(reason)}</p>
        </Banner>
      )}
      <div className="acceptance-box">
        <input
          type="checkbox"
          id={boxId}
          checked={agreement === 'agreed'}
          onChange={(event) => setAgreement(event.currentTarget.checked ? 'agreed' : 'open')}
        />
        <label htmlFor={boxId}>{label}</label>
      </div>
      <div className="acceptance-acts">
        <Button
          kind="primary"
          disabled={agreement !== 'agreed'}
          busy={status === 'storing'}
          onClick={() => void accept()}
        >
          {act}
        </Button>
        <Button onClick={() => go('/')}>{t('Decline')}</Button>
      </div>
    </section>
  )
}
