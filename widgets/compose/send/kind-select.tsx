import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { personalMaxCount } from '../../../contract/mail/send/send.limits.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useText } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { css } from './kind-select.css'

const sheet = createSheet(css)

/** What a message to several recipients is: by it the footer with the link to unsubscribe is added. */
export function KindSelect({ store, count }: { store: ComposeStore; count: number }) {
  useSheet(sheet)
  const t = useText()
  const id = useId()
  const { kind = '' } = useSnapshot(store.state.draft)
  const isPersonal = kind === 'personal' && count <= personalMaxCount
  return (
    <div className="row launch-kind">
      <label htmlFor={id}>{t('Kind of message')}</label>
      <span className="pick">
        <select
          id={id}
          value={isPersonal || kind === 'transactional' ? kind : 'bulk'}
          onChange={(event) =>
            store.write({ kind: event.currentTarget.value as 'personal' | 'bulk' | 'transactional' })
          }
        >
          <option value="bulk">{t('Newsletter, with an unsubscribe link')}</option>
          <option value="personal" disabled={count > personalMaxCount}>
            {t('Personal, for at most {number} recipients', { number: personalMaxCount })}
          </option>
          <option value="transactional">{t('Transactional, such as a receipt')}</option>
        </select>
      </span>
    </div>
  )
}
