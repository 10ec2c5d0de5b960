import { useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { importModes, type ImportMode } from '../../../contract/audience/imports/csv.ts'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { listNameMaxChars } from '../../../contract/audience/list.limits.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { ImportStore } from './import-store.ts'

const modeLabels: Record<ImportMode, { word: string; about: string }> = {
  add: { word: 'Leave existing contacts as they are', about: 'Only contacts that are not here yet are added.' },
  add_and_update: {
    word: 'Update existing contacts',
    about: 'Values of the file replace theirs. Empty cells change nothing.',
  },
}

/** How people agreed to get mail, the list they join, and what becomes of contacts that exist. */
export function ConsentStep({
  store,
  record,
  problem,
}: {
  store: ImportStore
  record: Import
  problem: string | null
}) {
  const t = useText()
  const { consent } = useSnapshot(store.state, { sync: true })
  const name = useId()
  return (
    <div className="panel import-panel">
      <TextArea
        label={t('How did these people agree to get mail from you?')}
        hint={t('Where they agreed, and the words they agreed to. Kept with every contact of this import.')}
        problem={problem}
        rows={4}
        maxLength={2000}
        value={consent}
        onValue={(text) => store.writeConsent(text)}
      />
      <ListChoice store={store} record={record} />
      <fieldset className="import-modes">
        <legend>{t('Contacts that exist already')}</legend>
        {importModes.map((mode) => (
          <label key={mode}>
            <input type="radio" name={name} checked={record.mode === mode} onChange={() => store.choose({ mode })} />
            <span>
              {t(modeLabels[mode].word)}
              <small>{t(modeLabels[mode].about)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="import-note">
        {t('People who unsubscribed, bounced or were erased are never mailed again by an import.')}
      </p>
    </div>
  )
}

function ListChoice({ store, record }: { store: ImportStore; record: Import }) {
  const t = useText()
  const { lists, busy } = useSnapshot(store.state)
  const [newName, setNewName] = useState<string | null>(null)
  const create = async () => {
    if (newName !== null && (await store.createList(newName.trim()))) setNewName(null)
  }
  return (
    <>
      <SelectField
        label={t('List that they join')}
        value={newName === null ? (record.list_id ?? '') : 'new'}
        options={[
          { value: '', text: t('No list') },
          ...lists.map(({ id, name }) => ({ value: id, text: name })),
          { value: 'new', text: t('New list…') },
        ]}
        onValue={(value) => {
          setNewName(value === 'new' ? '' : null)
          if (value !== 'new') store.choose({ list_id: value === '' ? null : value })
        }}
      />
      {newName !== null && (
        <form
          className="import-new-list"
          onSubmit={(event) => {
            event.preventDefault()
            void create()
          }}
        >
          <TextField
            label={t('Name of the new list')}
            value={newName}
            maxLength={listNameMaxChars}
            autoFocus
            onValue={setNewName}
          />
          <Button type="submit" busy={busy.includes('creating_list')} disabled={newName.trim() === ''}>
            {t('Create list')}
          </Button>
        </form>
      )}
    </>
  )
}
