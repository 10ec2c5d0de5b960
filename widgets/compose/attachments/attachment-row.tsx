import { useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { paperclip, refresh, x } from '../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useMessages } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { attach, detach, dismiss, retry } from './attachment-store.ts'
import { css } from './attachments.css'

const sheet = createSheet(css)

/** The files of the message with their sizes and the total; files are added by button and by drop. */
export function AttachmentRow({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useMessages()
  const { draft, attaching = [] } = useSnapshot(store.state)
  const { attachments = [] } = draft
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const sizeOf = (bytes: number) =>
    new Intl.NumberFormat(t.lang, {
      style: 'unit',
      unit: bytes < 1_000_000 ? 'kilobyte' : 'megabyte',
      maximumFractionDigits: 1,
    }).format(bytes < 1_000_000 ? Math.max(0.1, bytes / 1000) : bytes / 1_000_000)
  const total = attachments.reduce((sum, { size }) => sum + size, 0)
  return (
    <div
      className={isOver ? 'attachments over' : 'attachments'}
      role="group"
      aria-label={t('Attachments')}
      data-needs="mail:send"
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        void attach(store, Array.from(event.dataTransfer.files))
      }}
    >
      <div className="attachments-bar">
        <Button size="small" icon={paperclip} onClick={() => input.current?.click()}>
          {t('Attach files')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          onChange={(event) => {
            const chosen = Array.from(event.currentTarget.files ?? [])
            event.currentTarget.value = ''
            void attach(store, chosen)
          }}
        />
        <span className="attachments-total" role="status">
          {attachments.length > 0 &&
            t('{count} file, {size}|{count} files, {size}', { count: attachments.length, size: sizeOf(total) })}
        </span>
      </div>
      {attachments.length + attaching.length > 0 && (
        <ul className="attachments-list">
          {attachments.map(({ uploadId, filename, size }) => (
            <li key={uploadId}>
              <span className="attachment-name" translate="no">
                <bdi>{filename}</bdi>
              </span>
              <span className="attachment-size">{sizeOf(size)}</span>
              <Button
                kind="quiet"
                size="small"
                icon={x}
                aria-label={t('Remove {name}', { name: filename })}
                onClick={() => detach(store, uploadId)}
              />
            </li>
          ))}
          {attaching.map(({ id, name, share, problem }) => (
            <li key={`upload ${id}`} className={problem === null ? undefined : 'refused'}>
              <span className="attachment-name" translate="no">
                <bdi>{name}</bdi>
              </span>
              {problem === null ? (
                <progress aria-label={t('Uploading {name}', { name })} max={1} value={share} />
              ) : (
                <span className="attachment-problem" role="alert">
                  {t(problem)}
                </span>
              )}
              {problem !== null && (
                <Button
                  kind="quiet"
                  size="small"
                  icon={refresh}
                  aria-label={t('Upload {name} again', { name })}
                  onClick={() => void retry(store, id)}
                />
              )}
              <Button
                kind="quiet"
                size="small"
                icon={x}
                aria-label={
                  problem === null ? t('Cancel the upload of {name}', { name }) : t('Dismiss {name}', { name })
                }
                onClick={() => dismiss(store, id)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
