import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { files } from '../../../widgets/kit/icon/icons.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ImportBar } from './import-bar.tsx'
import { createImportStore } from './import-store.ts'
import { css } from './imports.css'
import { ImportWizard } from './import-wizard.tsx'
import { NewImport } from './new-import.tsx'

const sheet = createSheet(css)

/** /dashboard/imports/{id}: an import; 'new' where no file is chosen yet. */
export function ImportPage({ id }: { id: string }) {
  useSheet(sheet)
  return id === 'new' ? <NewImport /> : <ExistingImport id={id} />
}

function ExistingImport({ id }: { id: string }) {
  const t = useText()
  const { session } = useApp()
  const [store] = useState(() => createImportStore(session, id))
  useEffect(() => {
    return store.open()
  }, [store])
  const { status, error } = useSnapshot(store.state)
  if (status === 'ready') return <ImportWizard store={store} />
  return (
    <>
      <ImportBar />
      <section className="panel import-state" aria-label={t('Import')}>
        {status === 'missing' && (
          <EmptyState
            level={2}
            icon={files}
            title={t('This import does not exist')}
            text={t('It may belong to another workspace.')}
          >
            <ButtonLink href="/dashboard/imports/new" kind="primary">
              {t('Import a file')}
            </ButtonLink>
          </EmptyState>
        )}
        {status === 'failed' && (
          <ErrorState
            level={2}
            title={t('The import could not be loaded')}
            text={error ?? ''}
            onRetry={() => void store.load()}
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
      </section>
    </>
  )
}
