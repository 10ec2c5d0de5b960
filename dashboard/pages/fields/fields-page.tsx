import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { arrowLeft, list, pencil, plus, trash } from '../../../widgets/kit/icon/icons.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { fieldTypeLabels } from '../contacts/contact-text.ts'
import { DeleteFieldDialog } from './delete-field-dialog.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { css } from './fields.css'
import { createFieldsStore, type FieldsState } from './fields-store.ts'

const sheet = createSheet(css)

type Field = FieldsState['fields'][number]
type Asked = { kind: 'new' } | { kind: 'change' | 'delete'; field: Field } | null

/** /dashboard/contacts/fields: the custom fields of contacts. */
export function FieldsPage() {
  useSheet(sheet)
  const t = useText()
  const { session, notify } = useApp()
  const [store] = useState(() => createFieldsStore(session))
  const [asked, setAsked] = useState<Asked>(null)
  useEffect(() => {
    return store.start()
  }, [store])
  const { status, error, fields } = useSnapshot(store.state)
  const close = () => setAsked(null)
  const columns: Column<Field>[] = [
    { label: t('Label'), cell: ({ label }) => <b className="row-title">{label}</b> },
    { label: t('Name in mails'), cell: ({ key }) => <code translate="no">{key}</code> },
    {
      label: t('Type'),
      cell: ({ type, choices }) => (
        <>
          {t(fieldTypeLabels[type])}
          {choices.length > 0 && <span className="fields-choices">{choices.join(', ')}</span>}
        </>
      ),
    },
    {
      label: t('Actions'),
      align: 'end',
      cell: (field) => (
        <span className="row-actions">
          <Button
            kind="quiet"
            size="small"
            icon={pencil}
            aria-label={t('Change {label}', { label: field.label })}
            onClick={() => setAsked({ kind: 'change', field })}
          >
            {t('Change')}
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon={trash}
            aria-label={t('Delete {label}', { label: field.label })}
            onClick={() => setAsked({ kind: 'delete', field })}
          >
            {t('Delete')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <>
      <a className="screen-back" href="/dashboard/contacts">
        <Icon of={arrowLeft} size={16} />
        {t('Contacts')}
      </a>
      <div className="screen-top">
        <ScreenHeader title={t('Contact fields')}>{t('What you keep about each contact.')}</ScreenHeader>
        <Button kind="primary" icon={plus} onClick={() => setAsked({ kind: 'new' })}>
          {t('New field')}
        </Button>
      </div>
      <section className="panel" aria-label={t('Fields')}>
        {fields.length > 0 && (
          <Table
            label={t('Fields')}
            columns={columns}
            rows={fields as readonly Field[]}
            rowKey={({ no }) => String(no)}
          />
        )}
        {status === 'loading' && (
          <Skeleton>
            {['46%', '58%', '40%'].map((width) => (
              <div className="skeleton-row" key={width}>
                <Bone width={width} />
                <Bone width="28%" />
              </div>
            ))}
          </Skeleton>
        )}
        {status === 'failed' && (
          <ErrorState
            level={2}
            title={t('The fields could not be loaded')}
            text={error ?? ''}
            onRetry={() => void store.load()}
          />
        )}
        {status === 'ready' && fields.length === 0 && (
          <EmptyState
            level={2}
            icon={list}
            title={t('No fields yet')}
            text={t('A field keeps one thing about each contact, such as a city.')}
          />
        )}
      </section>
      {asked?.kind === 'new' && (
        <FieldDialog
          store={store}
          field={null}
          onSaved={(label) => notify({ kind: 'success', text: t('{label} was added', { label }) })}
          onClosed={close}
        />
      )}
      {asked?.kind === 'change' && (
        <FieldDialog
          store={store}
          field={asked.field}
          onSaved={(label) => notify({ kind: 'success', text: t('{label} was changed', { label }) })}
          onClosed={close}
        />
      )}
      {asked?.kind === 'delete' && (
        <DeleteFieldDialog
          store={store}
          field={asked.field}
          onDeleted={() => notify({ kind: 'success', text: t('{label} was deleted', { label: asked.field.label }) })}
          onClosed={close}
        />
      )}
    </>
  )
}
