import { memo, useEffect, useRef } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { MailThumbnail } from '../../../widgets/kit/mail/mail-frame.tsx'
import { filledBody, filledSubject } from '../../../widgets/lib/template-preview.ts'
import { files, pencil, trash } from '../../../widgets/kit/icon/icons.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { copiedKey, copyFailed } from '../../../widgets/lib/template-messages.ts'
import { textOfHtml } from '../../../widgets/lib/template-search.ts'
import type { TemplateRow, TemplatesStore } from './templates-store.ts'
import { useVisibleRows } from './use-visible-rows.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** As templates.css has them. */
const heights = { narrowPx: 720, narrow: 148, wide: 76 }

/** How much of a body is read for the line below a subject, in characters. */
const excerptSourceChars = 6000
const excerptChars = 140

export interface TemplateRowsProps {
  rows: readonly TemplateRow[]
  /** How many there are with those that are not loaded. */
  count: number
  /** False while the server is searched. */
  isComplete: boolean
  store: TemplatesStore
  notify: Notify
  onEdit: (row: TemplateRow) => void
}

/** The list of templates; only visible rows are rendered, and more are loaded at its end. */
export function TemplateRows({ rows, count, isComplete, ...rest }: TemplateRowsProps) {
  const t = useText()
  const place = useRef<HTMLUListElement>(null)
  const { from, to, rowPx } = useVisibleRows(place, rows.length, heights)
  const { store } = rest
  useEffect(() => {
    if (isComplete && to >= rows.length) store.loadMore()
  }, [store, isComplete, to, rows])
  const isNarrow = rowPx === heights.narrow
  return (
    <ul
      ref={place}
      className={isNarrow ? 'template-rows narrow' : 'template-rows'}
      aria-label={t('Templates')}
      style={{ height: rows.length * rowPx }}
    >
      {rows.slice(from, to).map((row, at) => (
        <li
          key={row.id}
          style={{ transform: `translateY(${(from + at) * rowPx}px)` }}
          aria-setsize={count}
          aria-posinset={from + at + 1}
        >
          <Row row={row} {...rest} />
        </li>
      ))}
    </ul>
  )
}

type RowProps = Omit<TemplateRowsProps, 'rows' | 'count' | 'isComplete'> & { row: TemplateRow }

/** Rendered once for a template: the rows that a letter of a search leaves in the list only move. */
const Row = memo(function Row({ row, store, notify, onEdit }: RowProps) {
  const t = useText()
  const { name, hasName, subject, sample, key, context, kind, createdAt } = row
  const isCopy = kind === 'copy'
  return (
    <>
      <div className="row-picture">
        <MailThumbnail html={filledBody(row)} />
      </div>
      <div className="row-words">
        <button type="button" className="row-subject" onClick={() => store.preview(row)}>
          {hasName && <span className="row-name">{name}</span>}
          <span>{filledSubject(subject, sample) || t('No subject')}</span>
        </button>
        <span className="row-excerpt">{excerptOf(row.body)}</span>
        {context.length > 0 && <span className="row-tags">{context.join(', ')}</span>}
      </div>
      {isCopy ? <span className="row-flag">{t('Copy of a global template, not saved yet')}</span> : <code>{key}</code>}
      <time dateTime={createdAt ?? ''} title={createdAt === null ? undefined : timeOf(createdAt, t.lang).instant}>
        {createdAt !== null && timeOf(createdAt, t.lang).day}
      </time>
      <div className="row-actions">
        <Button
          kind="quiet"
          size="small"
          icon={pencil}
          aria-label={t('Edit {name}', { name })}
          onClick={() => onEdit(row)}
        >
          {t('Edit')}
        </Button>
        {!isCopy && (
          <>
            <CopyButton
              face={{ text: t('Copy key') }}
              text={key}
              what={t('key of {name}', { name })}
              onCopied={() => notify({ kind: 'success', text: copiedKey })}
              onFailed={() => notify({ kind: 'error', text: copyFailed })}
            />
            <Button
              kind="quiet"
              size="small"
              icon={files}
              aria-label={t('Duplicate {name}', { name })}
              onClick={() => void store.duplicate(row)}
            >
              {t('Duplicate')}
            </Button>
          </>
        )}
        <Button
          kind="quiet"
          size="small"
          icon={trash}
          aria-label={t('Delete {name}', { name })}
          onClick={() => store.askDelete(row)}
        >
          {t('Delete')}
        </Button>
      </div>
    </>
  )
})

// oxlint-disable-next-line sendwright/module-state -- a cache
const formats = new Map<string | undefined, Record<'day' | 'instant', Intl.DateTimeFormat>>()

/** A day and its instant in a language. The formats are kept: making them takes far longer than using them. */
function timeOf(iso: string, lang: string | undefined): Record<'day' | 'instant', string> {
  const known = formats.get(lang) ?? {
    day: new Intl.DateTimeFormat(lang, { dateStyle: 'medium' }),
    instant: new Intl.DateTimeFormat(lang, { dateStyle: 'short', timeStyle: 'medium' }),
  }
  formats.set(lang, known)
  const date = new Date(iso)
  return { day: known.day.format(date), instant: known.instant.format(date) }
}

// oxlint-disable-next-line sendwright/module-state -- a cache
const excerpts = new Map<string, string>()

/** Cached for recently rendered bodies. */
function excerptOf(body: string): string {
  let excerpt = excerpts.get(body)
  if (excerpt === undefined) {
    if (excerpts.size > 500) excerpts.clear()
    excerpt = textOfHtml(body.slice(0, excerptSourceChars)).replace(/\s+/g, ' ').trim().slice(0, excerptChars)
    excerpts.set(body, excerpt)
  }
  return excerpt
}
