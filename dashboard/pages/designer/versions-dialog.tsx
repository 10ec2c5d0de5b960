import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Dialog } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import type { DesignerStore } from './designer-store.ts'
import { createVersionsStore } from './versions-store.ts'

/** The last versions of a template, newest first, each with the way back to it. */
export function VersionsDialog({ store, id, onClosed }: { store: DesignerStore; id: string; onClosed: () => void }) {
  const t = useText()
  const { session } = useApp()
  const [versions] = useState(() => createVersionsStore(session, id, store.showRestored))
  const { status, versions: list, error, restoring } = useSnapshot(versions.state)
  return (
    <Dialog title={t('Versions')} onClosed={onClosed}>
      {(close) => (
        <>
          <p>
            {t('Each save adds a version; the last 50 are kept. A version that you restore becomes the newest one.')}
          </p>
          {status === 'failed' && (
            <ErrorState
              level={2}
              title={t('The versions could not be loaded')}
              text={error}
              onRetry={() => void versions.load()}
            />
          )}
          {status === 'loading' && (
            <Skeleton>
              <Bone width="80%" />
              <Bone width="70%" />
            </Skeleton>
          )}
          {status === 'ready' && error !== null && <p role="alert">{error}</p>}
          <ol className="versions" aria-label={t('Versions')}>
            {list.map(({ revision, name, subject, created_at: at, created_by: by }, index) => (
              <li key={revision}>
                <div>
                  <b translate="no">{name || subject}</b>
                  <span>
                    <time dateTime={at}>
                      {new Date(at).toLocaleString(t.lang, { dateStyle: 'medium', timeStyle: 'short' })}
                    </time>
                    {' · '}
                    {by === null ? t('by a page or a former member') : t('by {name}', { name: by })}
                  </span>
                </div>
                {index === 0 ? (
                  <span className="version-now">{t('Current')}</span>
                ) : (
                  <Button
                    size="small"
                    busy={restoring === revision}
                    disabled={restoring !== null}
                    aria-label={t('Restore the version of {at}', { at: new Date(at).toLocaleString(t.lang) })}
                    onClick={() => void versions.restore(revision).then((isDone) => isDone && close())}
                  >
                    {t('Restore')}
                  </Button>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}
