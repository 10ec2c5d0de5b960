import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ContactDetail } from '../../../contract/audience/contact.ts'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { arrowLeft, download, trash, users } from '../../../widgets/kit/icon/icons.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { formatValue, languageName, nameOf } from '../contacts/contact-text.ts'
import { ContactFacts } from './contact-facts.tsx'
import { createContactStore, type ContactStore } from './contact-store.ts'
import { ContactTimeline } from './contact-timeline.tsx'
import { css } from './contact.css'
import { EditableValue } from './editable-value.tsx'
import { EraseDialog } from './erase-dialog.tsx'

const sheet = createSheet(css)

/** /dashboard/contacts/{id}: a contact. */
export function ContactPage({ id }: { id: string }) {
  useSheet(sheet)
  const t = useText()
  const { session } = useApp()
  const [store] = useState(() => createContactStore(session, id))
  useEffect(() => {
    return store.start()
  }, [store])
  const { status, error, contact } = useSnapshot(store.state)
  return (
    <>
      <a className="screen-back" href="/dashboard/contacts">
        <Icon of={arrowLeft} size={16} />
        {t('Contacts')}
      </a>
      {contact && <Found store={store} contact={contact} />}
      {!contact && <ScreenHeader title={t('Contact')} />}
      {status === 'loading' && (
        <Skeleton>
          <Bone width="40%" />
          <Bone width="60%" />
          <Bone width="52%" />
        </Skeleton>
      )}
      {status === 'missing' && (
        <EmptyState
          level={2}
          icon={users}
          title={t('This contact does not exist')}
          text={t('It was deleted, or the address of the page is wrong.')}
        >
          <ButtonLink href="/dashboard/contacts">{t('Show all contacts')}</ButtonLink>
        </EmptyState>
      )}
      {status === 'failed' && (
        <ErrorState
          level={2}
          title={t('The contact could not be loaded')}
          text={error ?? ''}
          onRetry={() => void store.load()}
        />
      )}
    </>
  )
}

type Shown = Omit<ContactDetail, 'lists' | 'consents'> & {
  lists: readonly ContactDetail['lists'][number][]
  consents: readonly ContactDetail['consents'][number][]
}

function Found({ store, contact }: { store: ContactStore; contact: Shown }) {
  const t = useText()
  const { go, notify } = useApp()
  const { segments } = useSnapshot(store.state)
  const [dialog, setDialog] = useState<'none' | 'delete' | 'erase'>('none')
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const problem = await store.remove()
    setBusy(false)
    if (problem !== null) {
      notify({ kind: 'error', text: problem })
      return false
    }
    notify({ kind: 'success', text: t('{email} was deleted', { email: contact.email }) })
    go('/dashboard/contacts', { replace: true })
    return true
  }
  const erase = async () => {
    setBusy(true)
    const problem = await store.erase()
    setBusy(false)
    if (problem !== null) {
      notify({ kind: 'error', text: problem })
      return false
    }
    notify({ kind: 'success', text: t('The person was erased') })
    go('/dashboard/contacts', { replace: true })
    return true
  }
  const track = async (tracking: ContactDetail['tracking']) => {
    const problem = await store.change({ tracking }, t('Opens and clicks'))
    notify(problem === null ? { kind: 'success', text: t('Saved') } : { kind: 'error', text: problem })
  }
  const exportIt = async () => {
    const problem = await store.download()
    if (problem !== null) notify({ kind: 'error', text: problem })
  }
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={nameOf(contact) || contact.email}>
          <span translate="no">{contact.email}</span>
        </ScreenHeader>
        <div className="screen-actions">
          <Button onClick={() => setDialog('erase')}>{t('Erase person…')}</Button>
          <Button icon={download} onClick={() => void exportIt()}>
            {t('Export')}
          </Button>
          <Button icon={trash} onClick={() => setDialog('delete')}>
            {t('Delete contact')}
          </Button>
        </div>
      </div>
      <div className="contact-columns">
        <div>
          <Fields store={store} contact={contact} />
          <ContactTimeline store={store} />
        </div>
        <div>
          <ContactFacts contact={contact} segments={segments} onTracking={(mode) => void track(mode)} />
        </div>
      </div>
      {dialog === 'erase' && (
        <EraseDialog email={contact.email} busy={busy} onErase={erase} onClosed={() => setDialog('none')} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('Delete {email}?', { email: contact.email })}
          act={t('Delete')}
          busy={busy}
          onAct={remove}
          onClosed={() => setDialog('none')}
        >
          <p>{t('Fields and memberships are deleted. This cannot be undone.')}</p>
          <p>{t('If the address is suppressed, it stays suppressed.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Fields({ store, contact }: { store: ContactStore; contact: Shown }) {
  const t = useText()
  const { fields } = useSnapshot(store.state)
  const text = (label: string, name: 'email' | 'timezone' | 'locale', shown = contact[name] ?? '') => (
    <EditableValue
      key={name}
      label={label}
      type="text"
      value={contact[name]}
      shown={shown}
      onSave={(value) => store.change(name === 'email' ? { email: String(value ?? '') } : { [name]: value }, label)}
    />
  )
  const { locale } = contact
  return (
    <section className="panel contact-fields" aria-label={t('Fields')}>
      <h2>{t('Fields')}</h2>
      <dl>
        {text(t('Email'), 'email')}
        {fields.map((field) => (
          <EditableValue
            key={field.no}
            label={field.label}
            type={field.type}
            choices={field.choices}
            value={contact.fields[field.key] ?? null}
            shown={formatValue(field, contact.fields[field.key], t)}
            onSave={(value) => store.change({ fields: { [field.key]: value } }, field.label)}
          />
        ))}
        {text(t('Time zone'), 'timezone')}
        {text(t('Language'), 'locale', locale === null ? '' : languageName(locale, t.lang))}
      </dl>
      <p className="contact-note">
        <a href="/dashboard/contacts/fields">{t('Add or rename fields')}</a>
      </p>
    </section>
  )
}
