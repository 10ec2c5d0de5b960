import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { download as downloadIcon, plus, search, upload, users } from '../../../widgets/kit/icon/icons.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { errorText } from '../../../client/core/http.ts'
import { useApp } from '../../app.ts'
import { saveCsvStream } from '../../kit/save-csv.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { AddContactDialog } from './add-contact-dialog.tsx'
import { chosenColumns, columnChoices, readColumnIds, saveColumnIds } from './columns.ts'
import { css } from './contacts.css'
import { ContactTable } from './contact-table.tsx'
import { isFiltered } from './contacts-filter.ts'
import { createContactsStore, type ContactsStore } from './contacts-store.ts'
import { ColumnsDialog, FilterDialog, SaveSegmentDialog } from './filter-dialogs.tsx'
import { FilterBar } from './filter-bar.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { createSelectionStore } from './selection-store.ts'

const sheet = createSheet(css)

/** /dashboard/contacts: the people of the workspace. */
export function ContactsPage() {
  useSheet(sheet)
  const t = useText()
  const { session, notify, go } = useApp()
  const [store] = useState(() => createContactsStore(session))
  const [selection] = useState(() => createSelectionStore(session, store, notify))
  const [dialog, setDialog] = useState<'none' | 'add' | 'filter' | 'columns' | 'segment' | 'write'>('none')
  const { status, error, filter, rowCount, count, fields } = useSnapshot(store.state)
  const choices = useMemo(() => columnChoices(fields), [fields])
  const [columnIds, setColumnIds] = useState(readColumnIds)
  const columns = useMemo(() => chosenColumns(choices, columnIds), [choices, columnIds])
  useEffect(() => {
    return store.start()
  }, [store])
  useEffect(() => {
    return selection.close
  }, [selection])
  // A selection is of what was shown: other filters end it.
  const filterKey = JSON.stringify({ ...filter, sort: '' })
  useEffect(() => {
    selection.clear()
  }, [selection, filterKey])
  const close = () => setDialog('none')
  const isBare = status === 'ready' && rowCount === 0 && !isFiltered(filter)

  let content: ReactNode
  if (status === 'loading') content = <RowBones />
  else if (status === 'failed') {
    content = (
      <ErrorState
        level={2}
        title={t('The contacts could not be loaded')}
        text={error ?? ''}
        onRetry={() => void store.load()}
      />
    )
  } else if (isBare) {
    content = (
      <EmptyState
        level={2}
        icon={users}
        title={t('No contacts yet')}
        text={t('The people to whom you send campaigns will stand here, with their lists and fields.')}
      >
        <div className="contacts-ways">
          <ButtonLink href="/dashboard/imports/new" kind="primary" icon={upload}>
            {t('Import')}
          </ButtonLink>
          <Button icon={plus} onClick={() => setDialog('add')}>
            {t('Add contact')}
          </Button>
        </div>
      </EmptyState>
    )
  } else if (rowCount === 0) {
    content = (
      <EmptyState level={2} icon={search} title={t('Nothing found')} text={t('No contact matches the filters.')}>
        <Button onClick={() => void store.clear()}>{t('Clear filters')}</Button>
      </EmptyState>
    )
  } else content = <ContactTable store={store} selection={selection} columns={columns} />

  return (
    <div className="contacts-page">
      <div className="screen-top">
        <ScreenHeader title={t('Contacts')}>
          {!isFiltered(filter) && count !== null && rowCount > 0
            ? t(count.is_estimate ? 'About {count} contacts' : '{count} contact|{count} contacts', {
                count: count.count,
              })
            : ' '}
        </ScreenHeader>
        {!isBare && (
          <div className="screen-actions contacts-actions">
            <ButtonLink href="/dashboard/contacts/fields">{t('Fields')}</ButtonLink>
            <ButtonLink href="/dashboard/imports/new" icon={upload}>
              {t('Import')}
            </ButtonLink>
            <Export store={store} />
            <Button kind="primary" icon={plus} onClick={() => setDialog('add')}>
              {t('Add contact')}
            </Button>
          </div>
        )}
      </div>
      <section className="panel contacts-panel" aria-label={t('Contacts')}>
        {!isBare && (
          <FilterBar
            store={store}
            onFilter={() => setDialog('filter')}
            onColumns={() => setDialog('columns')}
            onSaveSegment={() => setDialog('segment')}
          />
        )}
        {content}
      </section>
      <SelectionBar store={store} selection={selection} onSaveSegment={() => setDialog('write')} />
      {dialog === 'add' && (
        <AddContactDialog
          store={store}
          onAdded={(email) => notify({ kind: 'success', text: t('{email} was added', { email }) })}
          onClosed={close}
        />
      )}
      {dialog === 'filter' && <FilterDialog store={store} onClosed={close} />}
      {dialog === 'columns' && (
        <ColumnsDialog
          choices={choices}
          shown={columns}
          onChosen={(ids) => {
            saveColumnIds(ids)
            setColumnIds(ids)
          }}
          onClosed={close}
        />
      )}
      {(dialog === 'segment' || dialog === 'write') && (
        <SaveSegmentDialog
          store={store}
          onSaved={(id) => go(dialog === 'write' ? `/dashboard/send_email?segment=${id}` : `/dashboard/segments/${id}`)}
          onClosed={close}
        />
      )}
    </div>
  )
}

/** Downloads the contacts that match the filters. */
function Export({ store }: { store: ContactsStore }) {
  const t = useText()
  const { notify } = useApp()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      await saveCsvStream(store.csv(), 'contacts.csv')
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? t('The download broke off. Try again.') })
    }
    setBusy(false)
  }
  return (
    <Button icon={downloadIcon} busy={busy} onClick={() => void download()}>
      {t('Export')}
    </Button>
  )
}

function RowBones() {
  return (
    <Skeleton>
      {['32%', '40%', '28%', '36%', '44%', '30%', '38%', '34%'].map((width) => (
        <div className="contacts-bone" key={width}>
          <Bone width={width} />
          <Bone width="18%" />
        </div>
      ))}
    </Skeleton>
  )
}
