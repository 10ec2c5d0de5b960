import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { focusField } from '../auth/focus-field.ts'
import type { ContactsStore } from './contacts-store.ts'

interface Props {
  store: ContactsStore
  onAdded: (email: string) => void
  onClosed: () => void
}

/** Adds one contact; the other fields are filled on its page. */
export function AddContactDialog({ store, onAdded, onClosed }: Props) {
  const t = useText()
  const { lists, fields } = useSnapshot(store.state)
  const [email, setEmail] = useState('')
  const [names, setNames] = useState<Record<string, string>>({})
  const [list, setList] = useState('')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const nameFields = fields.filter(({ key }) => key === 'first_name' || key === 'last_name')

  const add = async (form: HTMLFormElement): Promise<boolean> => {
    if (email.trim() === '') {
      setProblems({ email: t('Enter an address') })
      focusField(form, 'email')
      return false
    }
    setBusy(true)
    const values = Object.fromEntries(Object.entries(names).filter(([, value]) => value.trim() !== ''))
    const found = await store.add({ email: email.trim(), fields: values, ...(list !== '' && { list_ids: [list] }) })
    setBusy(false)
    setProblems(found ?? {})
    if (found === null) return true
    focusField(form, Object.keys(found)[0] ?? 'email')
    return false
  }

  return (
    <Dialog title={t('Add contact')} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          className="contacts-form"
          onSubmit={(event) => {
            event.preventDefault()
            void add(event.currentTarget).then((isAdded) => {
              if (!isAdded) return
              onAdded(email.trim())
              close()
            })
          }}
        >
          <TextField
            name="email"
            type="email"
            label={t('Email')}
            autoComplete="off"
            problem={problems['email']}
            value={email}
            onValue={setEmail}
          />
          {nameFields.map(({ key, label }) => (
            <TextField
              key={key}
              name={key}
              label={label}
              autoComplete="off"
              problem={problems[key]}
              value={names[key] ?? ''}
              onValue={(value) => setNames((known) => ({ ...known, [key]: value }))}
            />
          ))}
          <SelectField
            label={t('List')}
            value={list}
            options={[{ value: '', text: t('None') }, ...lists.map(({ id, name }) => ({ value: id, text: name }))]}
            onValue={setList}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={busy}>
              {t('Add')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
