import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ref } from 'valtio/vanilla'
import { escapeHtml } from '../../../contract/mail/merge-variables.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { kindOf } from '../send/launch-store.ts'
import { readAddress } from './footer-store.ts'
import { variableNames } from '../variables/empty-variables.ts'

const style = 'margin:32px 0 0;font:13px/1.5 Arial,Helvetica,sans-serif;color:#595959;text-align:center'

/** Keeps what the server adds to a mail to many in the state of the composer, for the preview; nothing for other mails. */
export function useFooter(store: ComposeStore): void {
  const { draft, launched, status } = useSnapshot(store.state)
  const [address, setAddress] = useState('')
  // The dialog of a launch may have given the workspace its address.
  const isAsked = status === 'editing' || launched !== null
  useEffect(() => {
    if (!isAsked) return
    void readAddress(store.session).then((known) => known !== null && setAddress(known))
  }, [store, isAsked])
  const count = draft.audience?.[0] || draft.keptCount ? Infinity : uniqueRecipients(draft.recipients).length
  const isBulk = kindOf(draft, count).kind === 'bulk'
  const html = isBulk ? footerOf(draft.messageBody, address) : ''
  useEffect(() => {
    const values = { unsubscribe_url: `${location.origin}/unsubscribe`, postal_address: address.replaceAll('\n', ', ') }
    store.set({ footer: ref({ html, values }) })
  }, [store, html, address])
}

/** The lines that a body does not show by their variables. */
function footerOf(body: string, address: string): string {
  const shown = variableNames(body)
  const lines = [
    ...(address === '' || shown.has('postal_address') ? [] : [asText(address)]),
    ...(shown.has('unsubscribe_url') ? [] : ['<a href="{{unsubscribe_url}}">Unsubscribe</a>']),
  ]
  if (lines.length === 0) return ''
  return `<div style="${style}">${lines.map((line) => `<p style="margin:0 0 8px">${line}</p>`).join('')}</div>`
}

const asText = (text: string) => escapeHtml(text).replaceAll('{{', '\\{{').replaceAll(/\r?\n/g, '<br>')
