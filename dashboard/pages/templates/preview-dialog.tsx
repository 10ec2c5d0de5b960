import type { ReactNode } from 'react'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { MailFrame } from '../../../widgets/kit/mail/mail-frame.tsx'
import { filledBody, previewSubject } from '../../../widgets/lib/template-preview.ts'
import type { TemplateRecord } from '../../../widgets/lib/template-record.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Shows a template as a mail; `children` are what can be done with it. */
export function PreviewDialog({
  template,
  onClosed,
  children,
}: {
  template: TemplateRecord
  onClosed: () => void
  children: (close: () => void) => ReactNode
}) {
  const t = useText()
  const { name, context, description } = template
  const subject = previewSubject(template.subject, template.sample)
  const summary = description || (subject === name ? '' : subject)
  return (
    <Dialog title={name} size="wide" onClosed={onClosed}>
      {(close) => (
        <>
          {summary !== '' && <p>{summary}</p>}
          <div className="preview-mail">
            <MailFrame html={filledBody(template)} title={t('Preview of {name}', { name })} />
          </div>
          {context.length > 0 && (
            <p className="preview-tags">
              {context.map((tag) => (
                <code key={tag}>{tag}</code>
              ))}
            </p>
          )}
          <DialogActions>{children(close)}</DialogActions>
        </>
      )}
    </Dialog>
  )
}
