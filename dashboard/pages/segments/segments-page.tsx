import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Segment } from '../../../contract/audience/segment.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { listFilter, plus, search as searchIcon } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { DeleteSegmentDialog } from './delete-segment-dialog.tsx'
import { exampleSegments } from './example-segments.ts'
import { SegmentTable } from './segment-table.tsx'
import { css } from './segments.css'
import { createSegmentsStore, type SegmentsStore } from './segments-store.ts'

const sheet = createSheet(css)
/** From how many segments on a search is shown. */
const searchFromCount = 8

/** /dashboard/segments: the saved segments. */
export function SegmentsPage() {
  const t = useText()
  useSheet(sheet)
  const { session, notify } = useApp()
  const [store] = useState(() => createSegmentsStore(session, notify))
  useEffect(() => {
    return store.start()
  }, [store])
  const { asked } = useSnapshot(store.state)
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Segments')}>
          {t('A segment finds contacts by rules, and finds them again each time you send.')}
        </ScreenHeader>
        <ButtonLink kind="primary" icon={plus} href="/dashboard/segments/new">
          {t('New segment')}
        </ButtonLink>
      </div>
      <section className="panel" aria-label={t('Segments')}>
        <Content store={store} />
      </section>
      {asked && <DeleteSegmentDialog store={store} segment={asked as Segment} />}
    </>
  )
}

function Content({ store }: { store: SegmentsStore }): ReactNode {
  const t = useText()
  const { status, error, items, search, duplicating } = useSnapshot(store.state, { sync: true })
  if (items.length === 0) {
    if (status === 'loading') return <Bones />
    if (status === 'failed') {
      return (
        <ErrorState
          level={2}
          title={t('The segments could not be loaded')}
          text={error ?? ''}
          onRetry={() => void store.load()}
        />
      )
    }
    return <Examples />
  }
  const wanted = search.trim().toLowerCase()
  const all = items as unknown as readonly Segment[]
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <>
      {items.length >= searchFromCount && (
        <div className="list-tools" role="search">
          <input
            type="search"
            aria-label={t('Search segments')}
            placeholder={t('Part of a name')}
            autoComplete="off"
            value={search}
            onChange={(event) => store.search(event.currentTarget.value)}
          />
        </div>
      )}
      {found.length > 0 ? (
        <SegmentTable segments={found} duplicating={duplicating} store={store} />
      ) : (
        <EmptyState level={2} icon={searchIcon} title={t('Nothing found')} text={t('No segment has this in its name.')}>
          <Button onClick={() => store.search('')}>{t('Clear filters')}</Button>
        </EmptyState>
      )}
    </>
  )
}

/** Shown where there are no segments: three to start from. */
function Examples() {
  const t = useText()
  return (
    <EmptyState
      level={2}
      icon={listFilter}
      title={t('No segments yet')}
      text={t('Start from one of these examples and change its rules, or begin with an empty one.')}
    >
      <ul className="segment-examples">
        {exampleSegments.map(({ key, name, about }) => (
          <li key={key}>
            <a href={`/dashboard/segments/new?example=${key}`}>{t(name)}</a>
            <span>{t(about)}</span>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}

function Bones() {
  return (
    <Skeleton>
      {['46%', '58%', '40%', '52%'].map((width) => (
        <div className="skeleton-row" key={width}>
          <Bone width={width} />
          <Bone width="28%" />
        </div>
      ))}
    </Skeleton>
  )
}
