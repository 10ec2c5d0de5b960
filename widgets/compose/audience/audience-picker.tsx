import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Contact } from '../../../contract/audience/contact.ts'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../kit/overlay/dialog.tsx'
import { useText } from '../../kit/text/text.tsx'
import { checkRecipient } from '../../lib/recipients.ts'
import type { AudienceRef, AudienceState } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { addContact } from '../recipients-import/import-store.ts'
import type { AudienceStore } from './audience-store.ts'

const searchAfterMs = 200

interface PickerProps {
  store: AudienceStore
  composer: ComposeStore
  onClosed: () => void
}

/** Chooses lists and segments to send to or to leave out, and single contacts. */
export function AudiencePicker({ store, composer, onClosed }: PickerProps) {
  const t = useText()
  const [query, setQuery] = useState('')
  const { lists, segments, status } = useSnapshot(store.state)
  return (
    <Dialog title={t('Choose recipients')} size="wide" onClosed={onClosed}>
      {(close) => (
        <div className="audience-picker">
          <TextField
            label={t('Find a list, a segment or a contact')}
            value={query}
            autoComplete="off"
            onValue={setQuery}
          />
          {status === 'failed' && (
            <p role="alert">
              {t('Lists and segments could not be loaded.')}{' '}
              <button type="button" className="link" onClick={() => void store.load()}>
                {t('Try Again')}
              </button>
            </p>
          )}
          {status === 'loading' && <p role="status">{t('Loading...')}</p>}
          <Choices kind="list" items={lists} query={query} store={store} composer={composer} />
          <Choices kind="segment" items={segments} query={query} store={store} composer={composer} />
          {status === 'ready' && lists.length + segments.length === 0 && (
            <p>{t('You have no lists and no segments yet. Import contacts to begin with one.')}</p>
          )}
          <Contacts query={query.trim()} store={store} composer={composer} />
          <DialogActions>
            <Button kind="primary" onClick={close}>
              {t('Done')}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}

function Choices({
  kind,
  items,
  query,
  store,
  composer,
}: {
  kind: AudienceRef['kind']
  items: AudienceState['lists']
  query: string
  store: AudienceStore
  composer: ComposeStore
}) {
  const t = useText()
  const { draft } = useSnapshot(composer.state)
  const words = query.trim().toLowerCase()
  const shown = items.filter(({ name }) => name.toLowerCase().includes(words))
  if (shown.length === 0) return null
  const title = t(kind === 'list' ? 'Lists' : 'Segments')
  return (
    <table className="audience-choices" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t('People')}</th>
          <th scope="col">{t('Send to')}</th>
          <th scope="col">{t('Leave out')}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ id, name, count }) => {
          const chosen = draft.audience?.find((one) => one.kind === kind && one.id === id)
          const box = (how: 'included' | 'excluded', label: string) => {
            const isChosen = chosen !== undefined && Boolean(chosen.isExcluded) === (how === 'excluded')
            return (
              <td>
                <input
                  type="checkbox"
                  aria-label={label}
                  checked={isChosen}
                  onChange={() => store.choose({ kind, id, name }, isChosen ? null : how)}
                />
              </td>
            )
          }
          return (
            <tr key={id}>
              <th scope="row" translate="no">
                {name}
              </th>
              <td>{count === null ? '–' : count.toLocaleString(t.lang)}</td>
              {box('included', t('Send to {name}', { name }))}
              {box('excluded', t('Leave out {name}', { name }))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Contacts whose address or name begins with what is searched. */
function Contacts({ query, store, composer }: { query: string; store: AudienceStore; composer: ComposeStore }) {
  const t = useText()
  const { draft } = useSnapshot(composer.state)
  const [found, setFound] = useState<readonly Contact[]>([])
  useEffect(() => {
    if (query === '') return
    const aborter = new AbortController()
    const timer = setTimeout(() => {
      void store.findContacts(query, aborter.signal).then((contacts) => contacts && setFound(contacts))
    }, searchAfterMs)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [store, query])
  if (query === '' || found.length === 0) return null
  const keys = new Set(draft.recipients.map(({ key }) => key))
  const add = ({ email, fields }: Contact) => {
    const context = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)]))
    addContact(composer, t('Contacts'), { ...checkRecipient(email), context })
  }
  return (
    <section aria-label={t('Contacts')}>
      <h3>{t('Contacts')}</h3>
      <ul className="audience-contacts">
        {found.map((contact) => {
          const isAdded = keys.has(checkRecipient(contact.email).key)
          const label = t('Add {name}', { name: contact.email })
          return (
            <li key={contact.id}>
              <span translate="no">{contact.email}</span>
              <Button size="small" disabled={isAdded} aria-label={label} onClick={() => add(contact)}>
                {t(isAdded ? 'Added' : 'Add')}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
