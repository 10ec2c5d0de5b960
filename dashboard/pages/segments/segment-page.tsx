import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { BackToSegments } from './back-to-segments.tsx'
import { SegmentBuilder } from './builder/segment-builder.tsx'
import { createSegmentStore } from './builder/segment-store.ts'
import { css as builderCss } from './builder/builder.css'
import { css } from './segments.css'

const sheet = createSheet(css)
const builderSheet = createSheet(builderCss)

/** /dashboard/segments/{id}: the rules of a segment; `new` for one that is not saved. */
export function SegmentPage({ id }: { id: string }) {
  const t = useText()
  useSheet(sheet)
  useSheet(builderSheet)
  const { session, notify } = useApp()
  const [store] = useState(() =>
    createSegmentStore(
      { session, notify },
      { id: id === 'new' ? null : id, example: new URLSearchParams(location.search).get('example') },
    ),
  )
  useEffect(() => {
    return store.start()
  }, [store])
  const { status, error } = useSnapshot(store.state)
  if (status === 'ready') return <SegmentBuilder store={store} />
  return (
    <>
      <BackToSegments />
      <ScreenHeader title={id === 'new' ? t('New segment') : t('Segment')} />
      <section className="panel" aria-label={t('Segment')}>
        {status === 'failed' ? (
          <ErrorState
            level={2}
            title={t('The segment could not be loaded')}
            text={error ?? ''}
            onRetry={() => void store.load()}
          />
        ) : (
          <Skeleton>
            {['70%', '52%', '58%', '40%'].map((width) => (
              <div className="skeleton-row" key={width}>
                <Bone width={width} />
                <Bone width="12%" />
              </div>
            ))}
          </Skeleton>
        )}
      </section>
    </>
  )
}
