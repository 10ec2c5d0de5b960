import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { personalMaxCount } from '../../../contract/mail/send/send.limits.ts'
import { useText } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'

/** What a message to several recipients is: by it the footer with the link to unsubscribe is added. */
export function KindSelect({ store, count }: { store: ComposeStore; count: number }) {
  const t = useText()
  const id = useId()
  const { kind = '' } = useSnapshot(store.state.draft)
  const isPersonal = kind === 'personal' && count <= personalMaxCount
  return (
    <div className="launch-kind">
      <label htmlFor={id}>{t('Kind of message')}</label>{' '}
      <select
        id={id}
        value={isPersonal || kind === 'transactional' ? kind : 'bulk'}
        onChange={(event) => store.write({ kind: event.currentTarget.value as 'personal' | 'bulk' | 'transactional' })}
      >
        <option value="bulk">{t('Newsletter or announcement, with a link to unsubscribe')}</option>
        <option value="personal" disabled={count > personalMaxCount}>
          {t('Personal, for at most {number} recipients', { number: personalMaxCount })}
        </option>
        <option value="transactional">{t('Transactional, such as a receipt')}</option>
      </select>
    </div>
  )
}
