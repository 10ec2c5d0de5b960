import { useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Suppression } from '../../../contract/audience/suppression.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import type { SuppressionsStore } from './suppressions-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Confirms the removal of a suppression; for an unsubscribed recipient it requires their new consent. */
export function RemoveDialog({ store, asked }: { store: SuppressionsStore; asked: Suppression }) {
  const t = useText()
  const { busy } = useSnapshot(store.state)
  const [isConsented, setIsConsented] = useState(false)
  const id = useId()
  const { email, reason, detail } = asked
  const isByPerson = reason === 'unsubscribed' || reason === 'complained'
  return (
    <Dialog title={t('Allow mail to {email} again?', { email })} onClosed={() => store.open({ asked: null })}>
      {(close) => (
        <>
          {reason === 'bounced' && (
            <p>
              {t(
                'The mail server rejected the address as unknown. If it still does, the next mail adds the address again.',
              )}
            </p>
          )}
          {reason === 'bounced' && detail !== null && <p className="suppression-reply">{detail}</p>}
          {reason === 'manual' && <p>{t('The next message or campaign to this address will be sent.')}</p>}
          {isByPerson && (
            <>
              <p>
                {reason === 'unsubscribed'
                  ? t('The recipient unsubscribed.')
                  : t('The recipient reported a mail as spam.')}{' '}
                {t('Mail without consent is illegal in many countries.')}
              </p>
              <p className="suppression-consent">
                <input
                  id={id}
                  type="checkbox"
                  checked={isConsented}
                  onChange={(event) => setIsConsented(event.currentTarget.checked)}
                />
                <label htmlFor={id}>{t('The recipient has asked for mail again')}</label>
              </p>
            </>
          )}
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button
              kind="danger"
              busy={busy.includes('removing')}
              disabled={isByPerson && !isConsented}
              onClick={() => void store.remove(asked, isConsented).then((isDone) => isDone && close())}
            >
              {t('Remove')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
